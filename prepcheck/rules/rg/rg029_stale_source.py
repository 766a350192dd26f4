"""The source is fresh memory: the frame went elsewhere.

What it checks
    Whether the memory that RGA reads was allocated after the frame had been written under its name.

Why it matters
    The frame lies in the memory of before; the new one holds nothing (zeros are green in YUV, black in RGB).

How it is computed
    The order of calls: a write (decoder, CPU), then an allocation that takes the same name, and no write since.

Example
    The fd of the decoded frame is overwritten by dma_buf_alloc, and RGA converts the empty buffer.

Fix
    Import the decoder's own fd, or allocate first and copy the frame into the memory.

Limits
    Seen only where the plan or record tells the allocation.

References
    airockchip/librga#70.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.rga_memory import Store
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG029",
    "stale-source",
    over="rgachannel",
    category="stale_buffer",
    rank=Rank.CONTENT,
    sources=("airockchip/librga#70",),
)
def check(stale: bool, store: Store, operation: str, made_at: str = "") -> Iterator[Finding]:
    if not stale:
        return
    yield Finding(
        "{operation} reads {buffer}, which was allocated anew ({made}) after the frame had been written: it is empty.",
        "The name stands for fresh memory since {made}, and nobody has written it since. Zeros are green as YUV and "
        "black as RGB.",
        "Use the memory that the producer wrote (import its fd), or allocate before the frame is written.",
        {"operation": operation, "buffer": store.label, "made": made_at},
    )
