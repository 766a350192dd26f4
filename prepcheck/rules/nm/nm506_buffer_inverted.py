"""The picture is a negative.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: inverted.

Why it matters
    255 − x: a polarity switch, or a scale with the wrong sign.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    A thermal camera's white-hot and black-hot.

Fix
    Undo the inversion.

Limits
    A picture that looks the same after the transformation (symmetric, grey, constant) cannot show it; the report
    then says so. Where two transformations give the same bytes, both are named.

References
    Arithmetic on the bytes: the named transformation was applied to the expected buffer and compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.diagnosis import BufferDiagnosis, measured
from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM506",
    "buffer-inverted",
    over="diagnosis:inverted",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "The submitted picture is inverted (255 − x).",
        "255 minus the expected pixels gives the submitted ones. The explanation re-creates {score_percent} %"
        " of the elements. Faults in the order in which they happened: {faults}.",
        "Remove the inversion (camera polarity, a negative scale).",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="inverted",
        confidence=diagnosis.score,
    )
