"""The buffer's file holds NaN or infinities.

What it checks
    Whether all floats of the buffer's file are finite.

Why it matters
    One NaN spreads through every layer that sums; quantised, it becomes an arbitrary code. A std of 0, a log of 0 or memory
    that was never written makes them.

How it is computed
    isfinite over all elements.

Example
    A channel divided by a std of 0.

Fix
    Look at the step that divides, and at memory that is read before it is written.

Limits
    Floats only.

References
    Tencent/TNN#427.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.world import ArrayFacts
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN002",
    "not-finite",
    over="buffer",
    category="other",
    severity="error",
    rank=Rank.CONTENT,
    sources=("Tencent/TNN#427",),
)
def check(file_array: ArrayFacts, name: str) -> Iterator[Finding]:
    if file_array.finite is False:
        yield Finding(
            "{name} holds NaN or infinities.",
            "One NaN spreads through every layer; the finite values are {low}..{high}.",
            "Look at the step that divides (a std of 0), and at memory that is read before it is written.",
            {"name": name, "low": file_array.low, "high": file_array.high},
        )
