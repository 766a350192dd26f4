"""Only the first slots of the batch are filled.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: batch partial.

Why it matters
    The other slots hold what was there before; their answers are nonsense, and so is an answer taken over all
    slots.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    One image for a batch of 4.

Fix
    Fill all slots, or build with batch 1.

Limits
    A picture that looks the same after the transformation (symmetric, grey, constant) cannot show it; the report
    then says so. Where two transformations give the same bytes, both are named.

References
    Arithmetic on the bytes: the named transformation was applied to the expected buffer and compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.facts.diagnosis import BufferDiagnosis, measured, shown
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ501",
    "buffer-batch-partial",
    over="diagnosis:batch_partial",
    category="batch",
    severity="error",
    rank=Rank.SIZE,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "{filled} of {batch} slots of the batch are filled.",
        "The expected picture stands in the first {filled} slots; the others hold something else. The "
        "explanation re-creates {score_percent} % of the elements. Faults in the order in which they "
        "happened: {faults}.",
        "Fill all {batch} slots, or build the model with batch 1.",
        {
            "filled": shown(parameters, "filled"),
            "batch": shown(parameters, "batch"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="batch_partial",
        confidence=diagnosis.score,
    )
