"""The two files are identical.

What it checks
    Whether the two files have the same bytes (SHA-256).

Why it matters
    A rebuilt model that is byte for byte the old one was not rebuilt, or the old file was copied: "changing it changes nothing".

How it is computed
    SHA-256 of both.

Example
    A model built "in f16" that equals the int8 one.

Fix
    Check which file is loaded and when it was written.

Limits
    Two builds of the same model are never equal in mini containers: their headers hold uninitialised bytes.

References
    Comparison of the two files; no fact about a runtime is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.difference import Difference
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT103",
    "files-identical",
    over="difference:identical",
    category="other",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("comparison of the two files",),
    scope="input",
)
def check(difference: Difference) -> Iterator[Finding]:
    yield Finding(
        "The two files are identical (SHA-256 {a}).",
        "Every byte is equal, so whatever was changed between the two did not reach the file.",
        "If they should differ, check the path that is written and the one that is loaded.",
        {"path": difference.path, "a": difference.a, "b": difference.b, "count": difference.count},
    )
