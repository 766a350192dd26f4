"""The array has the axes of the input in another order.

What it checks
    Whether the shape given has the same sizes as the shape wanted, in another order (axes of size 1 aside), where no layout
    settles it.

Why it matters
    The number of elements agrees, so no size check helps; every value lands in another place.

How it is computed
    The shape of the buffer against that of the input in the layout that the call reads.

Example
    [1, 768, 1500] for an input of [1, 1500, 768].

Fix
    Transpose and make it contiguous.

Limits
    Height and width exchanged are SZ008; equal sizes cannot show it.

References
    marty1885/rknn-superresolution#3, rockchip-linux/rknn-toolkit#514, alibaba/MNN#1293.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.handover_wants import Shapes
from prepcheck.registry import Finding, Rank, rule


@rule(
    "LY002",
    "axes-in-other-order",
    over="handover",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=("marty1885/rknn-superresolution#3", "rockchip-linux/rknn-toolkit#514", "alibaba/MNN#1293", "runtime:G-09"),
)
def check(shapes: Shapes, label: str, api: str, got_bytes: int) -> Iterator[Finding]:
    if not shapes.reordered or shapes.rows_and_columns_exchanged:
        return
    yield Finding(
        "{api} gives {label} an array of {given}; it reads {wanted} ({layout}): the axes stand in another order.",
        "Both have {bytes} bytes, which hides it: every value lands in another place.",
        "Transpose to {wanted} and make it contiguous before the call.",
        {
            "api": api,
            "label": label,
            "given": shapes.given,
            "wanted": shapes.wanted,
            "layout": shapes.layout,
            "bytes": got_bytes,
        },
    )
