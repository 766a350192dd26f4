"""A handle of memory that the name stands for no more.

What it checks
    Whether memory was allocated anew after it had been imported.

Why it matters
    The handle keeps the memory of before alive. RGA reads or writes that, while the program fills or shows the
    new one.

How it is computed
    The order of calls: import, then alloc (or rknn_create_mem) of the same name, then the operation by handle.

Example
    importbuffer_fd(frame), alloc frame, write frame, imresize by the handle: the new frame is never read.

Fix
    Import again after allocating; release the old handle.

Limits
    Seen only where the plan or record tells the allocation.

References
    RGA developer guide, importbuffer_T and releasebuffer_handle.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.rga_memory import Store
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG025",
    "handle-outlived",
    over="rgachannel",
    category="stale_buffer",
    rank=Rank.MEMORY,
    sources=("RGA developer guide, importbuffer_T",),
    confidence="M",
)
def check(outlived: bool, store: Store, operation: str, side: str, made_at: str = "") -> Iterator[Finding]:
    if not outlived:
        return
    yield Finding(
        "{operation} uses a handle of {buffer} that was imported (calls[{imported}]) before {buffer} was made anew "
        "({made}).",
        "The handle still stands for the memory of before: what is in the new one is not {done}.",
        "Import {buffer} after allocating it, and release the old handle.",
        {
            "operation": operation, "buffer": store.label, "imported": store.imported, "made": made_at,
            "done": "read" if side == "source" else "written",
        },
    )  # fmt: skip
