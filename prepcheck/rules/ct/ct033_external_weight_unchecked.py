"""The weights lie in another file that could not be looked for.

What it checks
    Whether a model given as bytes needs a .weight file.

Why it matters
    Without a place on disk it cannot be looked for.

How it is computed
    The model's operators.

Example
    The values of the finding.

Fix
    Give the model as a path.

Limits
    None known.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT033",
    "external-weight-unchecked",
    over="note:external_weight_unchecked",
    category="model_conversion",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: MNN 3.6.1",),
    confidence="H",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The model keeps {need_bytes} bytes of weights in a file beside it, which could not be looked for.",
        "The model was given as bytes. {operators} operators have their weights there.",
        "Give the model as a path so that the .weight file can be checked.",
        values,
    )
