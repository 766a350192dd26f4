"""Normalised two times on the host.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: normalized twice.

Why it matters
    A second (x − mean)/std leaves almost nothing of the picture.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    A transform in the data loader and one in the export script.

Fix
    Apply it once.

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
    "NM503",
    "buffer-normalized-twice",
    over="diagnosis:normalized_twice",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "mean {mean} and std {std} were applied two times.",
        "Applying them once more to the expected values gives the submitted ones. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Apply the normalisation once.",
        {
            "mean": shown(parameters, "mean"),
            "std": shown(parameters, "std"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="normalized_twice",
        confidence=diagnosis.score,
    )
