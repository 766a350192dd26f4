"""Stretched where a letterbox is expected.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: stretched instead of
    letterbox.

Why it matters
    Boxes come back displaced and shapes are squeezed.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    cv2.resize(img, (640, 640)) for a YOLO model.

Fix
    Letterbox.

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
    "RS501",
    "buffer-stretched",
    over="diagnosis:stretched_instead_of_letterbox",
    category="resize",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The picture was stretched to the frame; a letterbox with the picture at {box} is expected.",
        "A plain resize of the image gives the submitted bytes. The explanation re-creates {score_percent} % "
        "of the elements. Faults in the order in which they happened: {faults}.",
        "Scale with one factor for both axes and fill the rest, as the plan says.",
        {
            "box": shown(parameters, "box"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="stretched_instead_of_letterbox",
        confidence=diagnosis.score,
    )
