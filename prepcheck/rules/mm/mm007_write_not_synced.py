"""The CPU wrote cached memory and nobody syncs it.

What it checks
    Whether bytes that the CPU wrote into bound memory reach the memory before the NPU reads it.

Why it matters
    rknn_run cleans the cache of bound inputs by itself, with two exceptions: after rknn_init with
    RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE, and for memory of rknn_create_mem_from_phys. There the NPU reads old bytes, all
    of them or in patches.

How it is computed
    Last writer, kind of memory, flags of rknn_init, and syncs (rknn_mem_sync or dma_buf_sync, to_device or both) between
    the write and the run.

Example
    Flag 0x4000, memset and memcpy into virt_addr, rknn_run.

Fix
    rknn_mem_sync(ctx, mem, RKNN_MEMORY_SYNC_TO_DEVICE) after each write; or drop the flag.

Limits
    Uncached memory needs nothing. Where it is not known whether from_phys memory is cached, this is a warning.

References
    rknn_api.h 2.3.2 (flag); RKNN API guide 1.5.2 figure 4-3; measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under
    emulation (sync calls traced).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.flow import MemoryState, WriteEvent
from prepcheck.facts.link_parts import Memory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM007",
    "write-not-synced",
    over="bound",
    category="cache_sync",
    rank=Rank.MEMORY,
    runtimes=("rknn",),
    sources=(
        "runtime:Z-11", "runtime:Z-12", "runtime:Z-13", "runtime:M-12", "rknn_api.h 2.3.2", "RKNN API guide 1.5.2 figure 4-3",
    ),
)  # fmt: skip
def check(
    unflushed: str,
    memory: MemoryState,
    held: Memory,
    write: WriteEvent,
    written_by: str,
    label: str,
    name_of_memory: str,
) -> Iterator[Finding]:
    if (
        written_by not in ("cpu", "memcpy")
        or held.cached is False
        or memory.synced_after(write.call, "to_device", "both")
    ):
        return
    yield (
        Finding(
            "The CPU writes {memory} at calls[{at}] and nothing syncs it before rknn_run; the flush of inputs was switched off.",
            "With RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE rknn_run does not clean the cache of bound inputs: what the CPU wrote may "
            "still be in the cache while the NPU reads {label} from memory.",
            "Call rknn_mem_sync(ctx, mem, RKNN_MEMORY_SYNC_TO_DEVICE) after the write, or drop the flag.",
            {"memory": name_of_memory, "at": write.call, "label": label, "link": "memory -> sync"},
            where=f"calls[{write.call}]",
            about=f"sync:{name_of_memory}",
            severity=None if held.cached else "warning",
        )
        if unflushed == "flag"
        else Finding(
            "The CPU writes {memory} at calls[{at}] and nothing syncs it before rknn_run, which leaves memory of "
            "rknn_create_mem_from_phys alone.",
            "rknn_run cleans the cache for memory of rknn_create_mem and _from_fd only. Of cached physical memory the NPU reads what "
            "was there before, or the new picture in patches.",
            "Flush the cache by the owner of the memory (dma_buf_sync, or the allocator's flush) after the write, or take uncached "
            "memory and say so (`memory: {{cached: false}}`).",
            {"memory": name_of_memory, "at": write.call, "label": label, "link": "memory -> sync"},
            where=f"calls[{write.call}]",
            about=f"sync:{name_of_memory}",
            severity=None if held.cached else "warning",
        )
    )
