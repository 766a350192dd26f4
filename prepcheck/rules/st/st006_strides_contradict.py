"""The buffer is said to be contiguous, and its strides say otherwise.

What it checks
    `contiguous: true` against the strides.

Why it matters
    One of the two is wrong, and which one decides how the bytes are read.

How it is computed
    Strides against those of a packed array of the shape.

Example
    shape [400, 500, 3], strides [1920, 3, 1], contiguous true: packed rows step 1500.

Fix
    Correct the plan.

Limits
    None.

References
    The plan against itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.strides import View
from prepcheck.registry import Finding, Rank, rule


@rule(
    "ST006",
    "strides-contradict",
    over="buffer",
    category="stride",
    severity="warning",
    rank=Rank.STRIDE,
    sources=("the plan against itself",),
)
def check(view: View, said_contiguous: bool) -> Iterator[Finding]:
    if said_contiguous and view.kind != "packed":
        yield Finding(
            "The buffer is said to be contiguous, but axis {axis} steps {got} bytes where a packed one steps {want}.",
            "One of the two statements is wrong.",
            "Correct `strides` or `contiguous`.",
            {"axis": view.axis, "got": view.got, "want": view.want},
        )
