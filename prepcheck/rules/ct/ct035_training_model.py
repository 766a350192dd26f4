"""The model is for training.

What it checks
    Whether the file says that it is for training.

Why it matters
    Dropout and batch normalisation behave otherwise than in inference.

How it is computed
    The usage field is 1.

Example
    The values of the finding.

Fix
    Convert with --forTraining off.

Limits
    None known.

References
    MNN schema, Usage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT035",
    "training-model",
    over="note:training_model",
    category="model_conversion",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("MNN schema, Usage",),
    confidence="H",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The file says that it is for training, not for inference.",
        "usage = 1: operators such as Dropout and BatchNorm keep their training behaviour.",
        "Convert again without --forTraining.",
        {},
    )
