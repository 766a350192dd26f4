"""Rows and columns are exchanged.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: transposed.

Why it matters
    Width and height changed places somewhere; with equal byte counts nothing complains.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    reshape(w, h, 3) instead of (h, w, 3).

Fix
    Use (height, width).

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
    "LY503",
    "buffer-transposed",
    over="diagnosis:transposed",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "Rows and columns are exchanged in the submitted bytes.",
        "Transposing the expected picture gives the submitted one; the count of bytes is the same. The "
        "explanation re-creates {score_percent} % of the elements. Faults in the order in which they "
        "happened: {faults}.",
        "Look for width and height in the wrong order: shapes are (height, width), sizes of OpenCV and RGA "
        "are (width, height).",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="transposed",
        confidence=diagnosis.score,
    )
