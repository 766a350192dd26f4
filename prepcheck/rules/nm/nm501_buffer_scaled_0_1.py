"""Values 0..1 where 0..255 is expected.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: scaled 0 1.

Why it matters
    Into a model that wants 0..255 everything is nearly black: the same answer for every image.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    img / 255.0 before inference() of a model that has mean/std inside.

Fix
    Leave the pixels as they are.

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
    "NM501",
    "buffer-scaled-0-1",
    over="diagnosis:scaled_0_1",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The values were divided by {by}; the raw pixel values are expected.",
        "Multiplying the submitted values by {by} gives the expected ones. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Remove the division: the model (or its runtime) scales by itself.",
        {
            "by": shown(parameters, "by"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="scaled_0_1",
        confidence=diagnosis.score,
    )
