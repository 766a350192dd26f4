"""Memory of 0 bytes.

What it checks
    Whether rknn_create_mem is asked for 0 bytes.

Why it matters
    It returns NULL (`rknn_create_mem, invalid size: 0`); rknn_set_io_mem with NULL returns -5, and rknn_run 0.

How it is computed
    size of the call.

Example
    size_with_stride of an attribute that was never queried, or queried with an older header: all fields 0.

Fix
    Query the attribute first and check its code; use the header that belongs to the library.

Limits
    None known.

References
    Measured: librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import Call, RknnCreateMem
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM014",
    "memory-of-no-bytes",
    over="call:rknn_create_mem",
    category="memory",
    rank=Rank.CALL,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:Z-16", "measured: librknnmrt 2.3.2 under emulation"),
)
def check(call: Call, memory_target: str) -> Iterator[Finding]:
    assert isinstance(call, RknnCreateMem)
    if call.size is None or call.size > 0:
        return
    yield Finding(
        "rknn_create_mem is asked for {size} bytes.",
        "It prints `rknn_create_mem, invalid size: 0` and returns NULL; rknn_set_io_mem of that returns -5, rknn_run 0.",
        "Query the attribute before (and check the code): its size_with_stride is what is wanted. All fields 0 come from a "
        "header that is older than the library.",
        {"size": call.size, "link": "memory -> binding"},
        about=memory_target,
    )
