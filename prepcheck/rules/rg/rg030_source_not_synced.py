"""RGA reads what the CPU wrote, and the cache was not flushed.

What it checks
    Whether a sync to the device lies between the CPU's write into cached memory and RGA's reading.

Why it matters
    RGA reads DRAM. What is still in the cache is missing: the frame before, zeros, or stripes of 64 bytes.

How it is computed
    By handle or physical address the driver does nothing per job: the program has to sync (error). By descriptor
    the exporter may do it, not to be relied on (warning). By virtual address the driver flushes each time;
    uncached heaps need nothing.

Example
    memcpy into a buffer of system-dma32, then imresize by its handle.

Fix
    After writing: DMA_BUF_IOCTL_SYNC with SYNC_END | RW (dma_sync_cpu_to_device), or rknn_mem_sync TO_DEVICE;
    again for every frame.

Limits
    Whether the lines have left the cache by themselves cannot be known.

References
    RGA FAQ A1.7, A2.21; librga samples dma_cache_demo; rknn_model_zoo RV1106 demos.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.flow import WriteEvent
from prepcheck.facts.rga_memory import Store
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG030",
    "source-not-synced",
    over="rgachannel",
    category="cache_sync",
    rank=Rank.CONTENT,
    sources=("rga:R-M05", "rga:R-M06", "rga:R-M08", "RGA FAQ A2.21"),
)
def check(unsynced: WriteEvent | None, store: Store, operation: str) -> Iterator[Finding]:
    if unsynced is None:
        return
    given = store.given or store.kind
    sure = given in ("handle", "physical")
    yield Finding(
        "The CPU wrote {buffer} (calls[{write}]) and {operation} reads it by {given} with no sync in between.",
        "The memory is cached: RGA sees what DRAM holds, the frame before or parts of it. "
        + (
            "By {given} the driver syncs nothing."
            if sure
            else "By descriptor the exporter may sync it; that is not promised."
        ),
        "Sync after writing: dma_sync_cpu_to_device (DMA_BUF_IOCTL_SYNC, SYNC_END | RW) or rknn_mem_sync TO_DEVICE, "
        "for every "
        "frame; or use an uncached heap.",
        {"buffer": store.label, "write": unsynced.call, "operation": operation, "given": given or "an unknown kind"},
        severity="error" if sure else "warning",
    )
