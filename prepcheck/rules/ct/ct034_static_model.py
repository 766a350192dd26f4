"""A static model: its shapes cannot be changed.

What it checks
    Whether the model was saved with --saveStaticModel.

Why it matters
    resizeTensor is accepted and changes nothing, and runSession returns 0.

How it is computed
    The usage field of the file.

Example
    The values of the finding.

Fix
    Use the sizes of the file, or convert without --saveStaticModel.

Limits
    --saveStaticModel=0 switches it on as well in 3.6.1.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT034",
    "static-model",
    over="note:static_model",
    category="session_config",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: MNN 3.6.1",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The model is static (--saveStaticModel): resizeTensor changes nothing and reports no error.",
        "Only the shapes in the file can be run.",
        "Hand over exactly these shapes, or convert again without --saveStaticModel.",
        {},
    )
