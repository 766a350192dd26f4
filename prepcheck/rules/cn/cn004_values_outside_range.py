"""The file's values are not in the range that the plan states.

What it checks
    Smallest and largest value of the buffer's file against `range` of the buffer.

Why it matters
    Checks of normalisation rest on the range that is stated.

How it is computed
    low and high of the file; 5 % of the stated span are rounding.

Example
    range [0, 1] stated, 0..255 in the file.

Fix
    Correct the plan, or the step that makes the values.

Limits
    Files that use only a part of the range are fine.

References
    The plan against the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.world import ArrayFacts
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN004",
    "values-outside-range",
    over="buffer",
    category="normalization",
    severity="warning",
    rank=Rank.VALUES,
    sources=("the plan against the file",),
)
def check(file_array: ArrayFacts, stated_range: tuple[float, float], name: str) -> Iterator[Finding]:
    if file_array.low is None or file_array.high is None:
        return
    low, high = stated_range
    slack = 0.05 * max(high - low, 1e-9)
    if file_array.low >= low - slack and file_array.high <= high + slack:
        return
    yield Finding(
        "{name} is stated to hold {low:.4g}..{high:.4g}; its file holds {found_low:.4g}..{found_high:.4g}.",
        "The values that are handed over are the file's.",
        "Correct `range`, or the step that makes the values.",
        {"name": name, "low": low, "high": high, "found_low": file_array.low, "found_high": file_array.high},
    )
