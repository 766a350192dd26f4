"""The picture is mirrored left to right.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: flipped horizontal.

Why it matters
    Front cameras mirror, and so does some display code.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    A selfie camera.

Fix
    Mirror it back, or train on mirrored pictures.

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
    "LY505",
    "buffer-flipped-horizontal",
    over="diagnosis:flipped_horizontal",
    category="layout",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "The submitted picture is mirrored left to right.",
        "Reversing the columns of the expected picture gives the submitted one. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Switch off the mirroring of the camera, or undo it (cv2.flip(img, 1)).",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="flipped_horizontal",
        confidence=diagnosis.score,
    )
