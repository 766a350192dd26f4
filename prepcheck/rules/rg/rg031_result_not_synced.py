"""The CPU reads what RGA wrote, and the cache was not invalidated.

What it checks
    Whether a sync from the device lies between RGA's write into cached memory and the CPU's reading (a read, or a
    call that copies: rknn_inputs_set, inference, copyFromHostTensor).

Why it matters
    Lines of the old content may still lie in the cache: the CPU sees the picture before, or parts of it. A dump
    then misleads about what the NPU saw.

How it is computed
    Cached memory, not given by virtual address, and no sync FROM_DEVICE since the operation. An error where the
    CPU touched the memory before (its lines are likely cached), else a warning.

Example
    imresize into system-dma32 by handle, then rknn_inputs_set with its pointer.

Fix
    Before reading: DMA_BUF_IOCTL_SYNC with SYNC_START | RW (dma_sync_device_to_cpu), or rknn_mem_sync
    FROM_DEVICE.

Limits
    The first read of memory that the CPU never touched is usually right.

References
    RGA FAQ A1.7, A2.21; airockchip/librga#90.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.flow import WriteEvent
from prepcheck.facts.rga_memory import Store
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG031",
    "result-not-synced",
    over="rgaread",
    category="cache_sync",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("rga:R-M05", "rga:R-M07", "RGA FAQ A2.21", "airockchip/librga#90"),
)
def check(
    unsynced: bool, buffer: str, writer: str, write: WriteEvent, reader_name: str, store: Store, touched_before: bool
) -> Iterator[Finding]:
    if not unsynced:
        return
    sure = touched_before and store.given in ("handle", "physical")
    yield Finding(
        "{writer} (calls[{write}]) wrote {buffer} and {reader} reads it with the CPU, with no sync in between.",
        "The memory is cached. "
        + (
            "The CPU used it before, so old lines are likely in its cache."
            if touched_before
            else "Old lines may be in the cache."
        )
        + " What the CPU then sees is the content of before, or parts of it.",
        "Sync before reading: dma_sync_device_to_cpu (DMA_BUF_IOCTL_SYNC, SYNC_START | RW) or rknn_mem_sync "
        "FROM_DEVICE.",
        {"writer": writer, "write": write.call, "buffer": buffer, "reader": reader_name, "given": store.given},
        severity="error" if sure else "warning",
    )
