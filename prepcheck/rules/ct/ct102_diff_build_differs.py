"""The two models were built differently.

What it checks
    Whether toolkit version, custom string, container or metadata differ.

Why it matters
    They do not change what has to be handed over, but they tell that the two are not the same build.

How it is computed
    Key by key.

Example
    toolkit: 2.3.2 against 2.5.0.

Fix
    Nothing, unless the runtime on the device is older than the toolkit.

Limits
    None known.

References
    Comparison of the two files; no fact about a runtime is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.difference import Difference, readable
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT102",
    "build-differs",
    over="difference:build",
    category="version",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("comparison of the two files",),
    scope="conversion",
)
def check(difference: Difference) -> Iterator[Finding]:
    yield Finding(
        "{path} is {a} in the first and {b} in the second.",
        "This does not change what has to be handed over.",
        "Nothing has to be done for the input; check that the runtime on the device is not older than the toolkit.",
        {"path": difference.path, "a": readable(difference.a), "b": readable(difference.b), "count": difference.count},
    )
