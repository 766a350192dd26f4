"""An element type without a name.

What it checks
    Whether the element type is one that is known here.

Why it matters
    Sizes cannot be computed.

How it is computed
    The type number in the file.

Example
    The values of the finding.

Fix
    State dtype in a plan.

Limits
    None known.

References
    MNN schema, DataType.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT040",
    "unknown-element-type",
    over="note:unknown_element_type",
    category="dtype",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("MNN schema, DataType",),
    confidence="M",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Input {name} has the element type number {number}, which is not known here.",
        "MNN's DataType has grown, or the file is damaged.",
        "State `dtype` of this input in a plan.",
        {"name": values["name"], "number": values["number"]},
    )
