"""Letterboxed where a stretch is expected.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: letterbox instead of
    stretch.

Why it matters
    Bars of fill colour stand where the network expects picture.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    A zoo demo's convert_image_with_letterbox in front of a classifier.

Fix
    Stretch, or state a letterbox in the plan.

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
    "RS502",
    "buffer-letterboxed",
    over="diagnosis:letterbox_instead_of_stretch",
    category="resize",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The picture was letterboxed into {box} (x, y, width, height); a stretch to the whole frame is expected.",
        "A resize with kept ratio and bars around it gives the submitted bytes. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Resize to the whole frame, or state `letterbox` in the plan if that is what training did.",
        {
            "box": shown(parameters, "box"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="letterbox_instead_of_stretch",
        confidence=diagnosis.score,
    )
