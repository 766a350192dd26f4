"""A sync in the wrong direction after the CPU wrote.

What it checks
    Whether a sync FROM_DEVICE follows the CPU's write into bound memory before anything brings it to memory.

Why it matters
    FROM_DEVICE drops what the cache holds, so that the CPU sees the device's bytes: what the CPU has just written is lost,
    wholly or in patches.

How it is computed
    Direction of the first sync after the CPU's last write.

Example
    memcpy into virt_addr, rknn_mem_sync(FROM_DEVICE), rknn_run.

Fix
    RKNN_MEMORY_SYNC_TO_DEVICE after the CPU writes, FROM_DEVICE before it reads.

Limits
    Inferred from what the operation is for: a warning.

References
    RKNNRT C API reference 2.3.2, rknn_mem_sync.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.flow import WriteEvent
from prepcheck.facts.link_parts import Memory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM020",
    "cpu-write-thrown-away",
    over="bound",
    category="cache_sync",
    severity="warning",
    rank=Rank.MEMORY,
    runtimes=("rknn",),
    sources=("runtime:Z-15", "RKNNRT C API reference 2.3.2, rknn_mem_sync"),
    confidence="M",
)
def check(
    sync_after_write: tuple[int, str | None],
    held: Memory,
    write: WriteEvent,
    written_by: str,
    label: str,
    name_of_memory: str,
) -> Iterator[Finding]:
    if written_by not in ("cpu", "memcpy") or held.cached is False:
        return
    if sync_after_write[1] != "from_device":
        return
    yield Finding(
        "After the CPU writes {memory} at calls[{write}], it is synced FROM_DEVICE at calls[{at}].",
        "That direction drops the cached lines so that the CPU sees what a device wrote; the bytes that the CPU has just written "
        "for {label} may be lost.",
        "Use RKNN_MEMORY_SYNC_TO_DEVICE after the CPU writes.",
        {
            "memory": name_of_memory,
            "write": write.call,
            "at": sync_after_write[0],
            "label": label,
            "link": "memory -> sync",
        },
        where=f"calls[{sync_after_write[0]}]",
    )
