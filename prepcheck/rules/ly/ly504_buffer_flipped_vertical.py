"""The picture stands upside down (mirrored top to bottom).

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: flipped vertical.

Why it matters
    BMP files and OpenGL textures start with the last row.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    The body of a BMP file copied as it is.

Fix
    Reverse the rows.

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
    "LY504",
    "buffer-flipped-vertical",
    over="diagnosis:flipped_vertical",
    category="layout",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "The submitted picture is mirrored top to bottom.",
        "Reversing the rows of the expected picture gives the submitted one. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Reverse the rows (cv2.flip(img, 0)); a BMP with positive height is stored from the bottom up.",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="flipped_vertical",
        confidence=diagnosis.score,
    )
