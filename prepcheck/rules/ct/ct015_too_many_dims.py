"""More than five dimensions.

What it checks
    Whether a tensor has more axes than the runtime can report.

Why it matters
    librknnrt 1.5.2 reports four wrong ones for a 6-D tensor; sizes computed from them are wrong.

How it is computed
    Number of axes.

Example
    [1,2,3,4,5,6].

Fix
    Merge axes before the conversion so that at most five are left.

Limits
    None known.

References
    Measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT015",
    "too-many-dims",
    over="note:too_many_dims",
    category="layout",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: librknnrt 1.5.2 under emulation",),
    confidence="M",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Input {name} has more than five dimensions ({dims}); what the runtime reports about it cannot be trusted.",
        "librknnrt 1.5.2 answers rknn_query with four wrong dims for such a tensor.",
        "Reshape the network's input to at most five dimensions and convert again.",
        {"name": values["name"], "dims": values["dims"]},
    )
