"""A handle on one side and an address on the other.

What it checks
    Whether all channels of a call are given as handles, or none.

Why it matters
    librga refuses ("librga only supports the use of handles only or no handles").

How it is computed
    The kinds that the call passes for source and destination.

Example
    src by wrapbuffer_handle, dst by wrapbuffer_virtualaddr.

Fix
    Import both buffers, or wrap both by fd or address.

Limits
    None.

References
    librga NormalRga.cpp; airockchip/librga#23.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG024",
    "handles-mixed",
    over="rga",
    category="memory",
    rank=Rank.CALL,
    sources=("rga:R-B02", "airockchip/librga#23"),
)
def check(given: tuple[str, str], operation: str) -> Iterator[Finding]:
    src, dst = given
    if (src == "handle") == (dst == "handle"):
        return
    yield Finding(
        "{operation} gets its source as {src} and its destination as {dst}: librga takes handles on both sides or on "
        "none.",
        "The two ways fill different fields of the request; with one of each librga refuses the call.",
        "Import the other buffer too (importbuffer_*, wrapbuffer_handle), or use no handle.",
        {"operation": operation, "src": src, "dst": dst},
    )
