"""Height and width of the array are exchanged.

What it checks
    Whether the shape given is the input's with H and W in each other's place.

Why it matters
    The number of bytes agrees, so nothing complains: rows are read with the length of columns, the picture is sheared noise.

How it is computed
    Shapes in the layout that the call takes; H and W differ.

Example
    [1, 640, 480, 3] for an input of [1, 480, 640, 3].

Fix
    Shapes have the height first; resize takes (width, height) in OpenCV and Pillow. Check which of the two was exchanged.

Limits
    Square inputs cannot show it.

References
    alibaba/MNN#1134; arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.handover_wants import Shapes
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ008",
    "height-width-exchanged",
    over="handover",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=("alibaba/MNN#1134",),
)
def check(shapes: Shapes, label: str, api: str, got_bytes: int) -> Iterator[Finding]:
    if not shapes.rows_and_columns_exchanged:
        return
    yield Finding(
        "{api} gives {label} the shape {given}; it takes {wanted}: height and width are exchanged.",
        "Both are {bytes} bytes, which hides it: rows of one are read with the length of the other's.",
        "Resize to the input's width and height ([width, height] in resize, height first in shapes).",
        {"api": api, "label": label, "given": shapes.given, "wanted": shapes.wanted, "bytes": got_bytes},
        fault="transposed",
    )
