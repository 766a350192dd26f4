"""The YUV matrix of the conversion is not the picture's.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: yuv matrix.

Why it matters
    BT.601 for BT.709 data shifts greens and reds a little; accuracy drops on colour-sensitive models.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    A 1080p stream (BT.709) converted by RGA's default BT.601.

Fix
    Set the matrix that the producer states.

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
    "CL505",
    "buffer-yuv-matrix",
    over="diagnosis:yuv_matrix",
    category="color_space",
    severity="warning",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The picture was converted with the wrong YUV matrix (used {used}, right is {want}).",
        "The two matrices weigh U and V otherwise; the submitted bytes fit {used}. The explanation re-creates"
        " {score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Set the conversion to {want} (RGA: IM_YUV_TO_RGB_BT709_LIMIT and the like).",
        {
            "used": shown(parameters, "used"),
            "want": shown(parameters, "want"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="yuv_matrix",
        confidence=diagnosis.score,
    )
