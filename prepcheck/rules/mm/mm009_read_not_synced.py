"""The CPU reads what a device wrote, without a sync.

What it checks
    Whether cached memory that RGA or the NPU wrote is synced before the CPU reads it.

Why it matters
    The CPU sees what its cache holds: old bytes. A dump of the input then looks wrong although the NPU reads the right
    picture, or an answer of the frame before is read.

How it is computed
    Last writer of the memory, syncs with from_device or both since, flag of rknn_init for outputs.

Example
    RGA fills the input; the program saves virt_addr as a picture: the file shows the frame before.

Fix
    rknn_mem_sync(ctx, mem, RKNN_MEMORY_SYNC_FROM_DEVICE) (or dma_buf_sync) before reading.

Limits
    Outputs are synced by rknn_run unless RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE is set. A warning.

References
    RKNNRT C API reference 2.3.2, rknn_mem_sync; rcore-os/tgoskits#574.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.memory_calls import DeviceWritten
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM009",
    "read-not-synced",
    over="call:read",
    category="cache_sync",
    severity="warning",
    rank=Rank.MEMORY,
    runtimes=("rknn",),
    sources=("runtime:Z-15", "RKNNRT C API reference 2.3.2, rknn_mem_sync", "rcore-os/tgoskits#574"),
)
def check(device_written: DeviceWritten) -> Iterator[Finding]:
    found = device_written
    if found.synced or found.cached is False:
        return
    yield Finding(
        "The CPU reads {memory}, which {who} wrote at calls[{at}], without a sync from the device.",
        "The memory is cached: the CPU may get what its cache holds from before, while the memory has the new bytes.",
        "rknn_mem_sync(ctx, mem, RKNN_MEMORY_SYNC_FROM_DEVICE) (dma_buf_sync for memory that RKNN did not make) before reading.",
        {"memory": found.memory, "who": found.by, "at": found.call, "link": "memory -> sync"},
        about=f"read:{found.memory}",
    )
