"""Raw values where normalised ones are expected.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: not normalized.

Why it matters
    Values a hundred times too large saturate the network.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    0..255 floats into a model trained on −1..1.

Fix
    Normalise as the plan says.

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
    "NM504",
    "buffer-not-normalized",
    over="diagnosis:not_normalized",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "The submitted values are raw pixels; normalised ones are expected.",
        "The expected values before their normalisation are the submitted ones. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Apply the normalisation of the plan before handing over.",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="not_normalized",
        confidence=diagnosis.score,
    )
