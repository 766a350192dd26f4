"""An input without shape and type.

What it checks
    Whether an Input operator carries its parameters.

Why it matters
    Neither shape nor type are known.

How it is computed
    The operator's parameter field.

Example
    The values of the finding.

Fix
    State them in a plan.

Limits
    None known.

References
    MNN schema, Op.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT041",
    "input-without-parameters",
    over="note:input_without_parameters",
    category="other",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("MNN schema, Op",),
    confidence="M",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Input {name} has no shape, type or layout in the file.",
        "The Input operator carries no parameters.",
        "State `shape`, `dtype` and `layout` of this input in a plan.",
        {"name": values["name"]},
    )
