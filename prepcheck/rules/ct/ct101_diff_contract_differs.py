"""The two contracts differ.

What it checks
    Whether two models (or contracts) expect the same of their inputs and say the same of their outputs.

Why it matters
    Code written for the first hands wrong bytes to the second: another shape, type, zero point, scale, stride or mean/std.

How it is computed
    Key by key, tensor by tensor (by name, else by place); floats are equal within a relative 1e-5.

Example
    inputs[0].scale: 0.003922 against 1.0: one was built with std 255, the other without.

Fix
    Take over the new value in the application, or build with the old settings.

Limits
    Provenance and notes are not compared.

References
    Comparison of the two files; no fact about a runtime is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.difference import Difference, readable
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT101",
    "contract-differs",
    over="difference:contract",
    category="model_conversion",
    severity="error",
    rank=Rank.CONTRACT,
    sources=("comparison of the two files",),
    scope="conversion",
)
def check(difference: Difference) -> Iterator[Finding]:
    yield Finding(
        "{path} is {a} in the first and {b} in the second.",
        "Code that was written for the first value hands over something else than the second model expects.",
        "Adapt the application to the new value, or build the model with the settings of the first.",
        {"path": difference.path, "a": readable(difference.a), "b": readable(difference.b), "count": difference.count},
    )
