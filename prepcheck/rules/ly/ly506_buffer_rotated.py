"""The picture is turned.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: rotated.

Why it matters
    EXIF orientation applied by one decoder and not by the other, a sensor mounted sideways, a rotation in RGA.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    A phone picture with orientation 6.

Fix
    Turn it back.

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
    "LY506",
    "buffer-rotated",
    over="diagnosis:rotated",
    category="layout",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The submitted picture is turned clockwise by {degrees} degrees.",
        "Turning the expected picture by {degrees} degrees gives the submitted one. The explanation "
        "re-creates {score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Undo the rotation, or apply the EXIF orientation on both sides (cv2.imread applies it, Pillow does "
        "not unless asked).",
        {
            "degrees": shown(parameters, "degrees"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="rotated",
        confidence=diagnosis.score,
    )
