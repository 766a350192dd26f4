"""Bicubic enlargement of rows that are too wide.

What it checks
    `when using bicubic scaling in the vertical direction, it does not support input width larger than N`

Why it matters
    imcheck fails, nothing is converted.

How it is computed
    Read off the line.

Example
    Rows wider than 1928 pixels on RGA2.

Fix
    Bilinear (the default chooses it by itself), or enlarge in two steps.

Limits
    None known.

References
    strings of librga 1.10; rga:R-C08
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG320",
    "log-bicubic-rows",
    over="log:rga_bicubic",
    category="resize",
    severity="error",
    rank=Rank.SIZE,
    sources=(
        "strings of librga 1.10",
        "rga:R-C08",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    yield Finding(
        "RGA enlarges rows of at most {n} pixels bicubically.",
        "Nothing was written.",
        "Leave the interpolation at its default (bilinear for wide rows), or scale the width first.",
        {"n": first_event.number("n")},
        about="log:rga",
    )
