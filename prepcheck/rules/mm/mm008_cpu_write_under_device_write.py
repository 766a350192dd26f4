"""RGA writes over what the CPU left in the cache.

What it checks
    Whether the CPU wrote cached memory before RGA (or a decoder) wrote it, without a sync in between.

Why it matters
    The cache still holds the CPU's lines. rknn_run cleans the cache of the input before it starts the NPU, and puts those
    lines over RGA's pixels: patches of the fill colour or of an old picture, now and then.

How it is computed
    Order of writes and syncs since the memory was made or the last run.

Example
    memset(virt_addr, 114) for the bars of a letterbox, improcess into the fd, rknn_run.

Fix
    rknn_mem_sync TO_DEVICE between the CPU's write and RGA's; or fill with imfill; or make the memory uncached
    (rknn_create_mem2, RKNN_FLAG_MEMORY_NON_CACHEABLE).

Limits
    The order of syncs was measured, the effect on hardware is inferred: a warning.

References
    librga FAQ, cache section; measured: order of syncs of librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.flow import MemoryState, WriteEvent
from prepcheck.facts.link_parts import Memory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM008",
    "cpu-write-under-device-write",
    over="bound",
    category="cache_sync",
    severity="warning",
    rank=Rank.MEMORY,
    runtimes=("rknn",),
    sources=("runtime:Z-14", "librga FAQ, cache section"),
    confidence="M",
)
def check(
    memory: MemoryState, held: Memory, write: WriteEvent, label: str, name_of_memory: str, previous_run: int = -1
) -> Iterator[Finding]:
    if write.by not in ("rga", "decoder") or not held.cached:
        return
    dirty = [
        w for w in held.cpu_writes
        if previous_run < w.call < write.call
        and not any(w.call < at < write.call and said != "from_device" for at, said in memory.syncs)
    ]  # fmt: skip
    if not dirty:
        return
    yield Finding(
        "The CPU writes {memory} at calls[{cpu}], then {who} writes it at calls[{device}], with no sync in between.",
        "The CPU's bytes are still in the cache when {who} writes the memory. rknn_run cleans the cache before it starts: those "
        "lines land on top of the new pixels of {label}, in patches and not every time.",
        "rknn_mem_sync(TO_DEVICE) (or dma_buf_sync) right after the CPU's write; or fill with imfill; or make the memory with "
        "rknn_create_mem2 and RKNN_FLAG_MEMORY_NON_CACHEABLE.",
        {
            "memory": name_of_memory, "cpu": dirty[-1].call, "device": write.call, "who": write.by, "label": label,
            "link": "memory -> sync",
        },
        where=f"calls[{dirty[-1].call}]",
    )  # fmt: skip
