"""The two plans (or records) do something else.

What it checks
    Whether two plans or records hand over the same in the same way.

Why it matters
    Where one run is right and the other wrong, the cause is among the differences; what is equal is cleared.

How it is computed
    Key by key; calls by their order, buffers and inputs by name. Times, threads and addresses are left out.

Example
    calls[1].type: UINT8 against INT8.

Fix
    Change one difference at a time, beginning with the calls.

Limits
    A record holds what was called, not what the program computed.

References
    Comparison of the two files; no fact about a runtime is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.difference import Difference, readable
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT104",
    "plan-differs",
    over="difference:plan",
    category="other",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("comparison of the two files",),
    scope="input",
)
def check(difference: Difference) -> Iterator[Finding]:
    yield Finding(
        "{path} is {a} in the first and {b} in the second.",
        "{count} place(s) like this. If the first run is right and the second wrong, the cause is among the differences; what is equal is cleared.",
        "Change one difference at a time in the wrong one, beginning with calls and buffers, until it turns right.",
        {"path": difference.path, "a": readable(difference.a), "b": readable(difference.b), "count": difference.count},
    )
