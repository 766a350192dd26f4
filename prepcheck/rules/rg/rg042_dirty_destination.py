"""The CPU's lines may land on RGA's picture.

What it checks
    Whether cached memory that the CPU wrote (a memset for bars) is synced before RGA writes into it.

Why it matters
    Lines of the CPU's write that are still in the cache are evicted later, over RGA's pixels: patches of old
    content, now and then.

How it is computed
    A write by the CPU into cached memory, no sync to the device after it, then RGA writes there; not by virtual
    address.

Example
    memset of the frame, then improcess into it by handle.

Fix
    Sync to the device after the CPU's write, before RGA runs; or paint with imfill, or use an uncached heap.

Limits
    Follows from how caches work; no report that shows it alone: a warning. Memory bound to a model input is
    judged with its binding.

References
    RGA FAQ A2.21.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.flow import WriteEvent
from prepcheck.facts.rga_memory import Store
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG042",
    "dirty-destination",
    over="rgachannel",
    category="cache_sync",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("rga:R-M07", "RGA FAQ A2.21"),
    confidence="M",
)
def check(dirty: WriteEvent | None, store: Store, operation: str) -> Iterator[Finding]:
    if dirty is None:
        return
    yield Finding(
        "The CPU wrote {buffer} (calls[{write}]) and {operation} writes into it with no sync in between.",
        "The memory is cached: lines of the CPU's write may be evicted later, over RGA's pixels.",
        "Sync after the CPU's write: dma_sync_cpu_to_device (DMA_BUF_IOCTL_SYNC, SYNC_END | RW); or paint with imfill.",
        {"buffer": store.label, "write": dirty.call, "operation": operation},
    )
