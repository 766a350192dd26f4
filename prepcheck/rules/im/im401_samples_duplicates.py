"""The same picture stands in a set more than once.

What it checks
    Whether samples hold the same pixels once they have the input's size.

Why it matters
    Copies weigh twice and add nothing; a calibration with 100 copies of one picture knows one picture.

How it is computed
    Equal counts of all values in all channels and equal points of a grid.

Example
    30 files, 12 different pictures.

Fix
    Take the copies out.

Limits
    An info up to a tenth of the set (a video has still scenes); a warning beyond, and only for sets to calibrate
    with.

References
    The range is that of the different samples alone: measured, rknn-toolkit2 2.5.0, one picture three times gives the
    same scale.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import InputSet
from prepcheck.registry import Finding, Rank, rule

MANY = 0.1
"""Share of copies beyond which the set is not what its size says. A choice."""


@rule(
    "IM401",
    "samples-duplicates",
    over="set_input",
    category="image",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("measured: rknn-toolkit2 2.5.0, one picture once and three times",),
    scope="conversion",
)
def check(given: InputSet, label: str, calibration: bool) -> Iterator[Finding]:
    if not given.twins:
        return
    total = given.pictures + len(given.arrays)
    first, second = given.twins[0]
    yield Finding(
        "{count} of {total} samples for {label} are copies of others: {second} is {first}.",
        "{total} − {count} = {distinct} are different.",
        "Take the copies out.",
        {
            "count": len(given.twins), "total": total, "label": label, "first": first, "second": second,
            "distinct": total - len(given.twins),
        },
        severity="warning" if calibration and len(given.twins) > MANY * total else "info",
    )  # fmt: skip
