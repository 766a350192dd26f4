"""Lines that only one of the two logs has.

What it checks
    Which machine lines stand in one log and not in the other.

Why it matters
    Lines that the good run prints too are no cause.

How it is computed
    Lines are compared without times, addresses and counters.

Example
    `W … Unkown op target: 0` in the bad log only.

Fix
    Look at the lines of the bad run only.

Limits
    A line that both print may still matter if the good run was good for another reason.

References
    Comparison of the two files; no fact about a runtime is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.difference import Difference, readable
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT105",
    "log-line-differs",
    over="difference:log",
    category="other",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("comparison of the two files",),
    scope="input",
)
def check(difference: Difference) -> Iterator[Finding]:
    yield Finding(
        "Only in {path}: {a}",
        "{count} line(s) like this. Lines that both runs print were struck out: they cannot be the cause.",
        "Explain the bad log with the good one beside it: prepcheck explain --file bad.log.",
        {"path": difference.path, "a": readable(difference.a), "b": readable(difference.b), "count": difference.count},
    )
