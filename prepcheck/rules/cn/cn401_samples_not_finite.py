"""Arrays of a set hold NaN or infinities.

What it checks
    Whether all floats of the .npy samples are finite.

Why it matters
    One such value makes the calibrated range of the whole input useless: minimum and maximum are taken over all
    samples.

How it is computed
    isfinite over all elements.

Example
    A division by a std of 0 while the arrays were made.

Fix
    Find the step that divides, and make the arrays anew.

Limits
    Floats only.

References
    Tencent/TNN#427 (the same in a buffer).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import InputSet
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN401",
    "samples-not-finite",
    over="set_input",
    category="other",
    severity="error",
    rank=Rank.CONTENT,
    sources=("Tencent/TNN#427",),
    scope="conversion",
)
def check(given: InputSet, label: str) -> Iterator[Finding]:
    bad = [a for a in given.arrays if not a.finite]
    if bad:
        yield Finding(
            "{count} of {total} arrays for {label} hold NaN or infinities; the first is {name}.",
            "The range of the input is the smallest and largest value over all samples: one such value spoils it.",
            "Look at the step that divides (a std of 0), and make the arrays anew.",
            {"count": len(bad), "total": len(given.arrays), "label": label, "name": bad[0].name},
        )
