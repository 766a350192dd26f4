"""U and V were exchanged in the conversion.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: uv swapped.

Why it matters
    NV12 and NV21 differ only in that order. Skin turns blue.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    NV21 converted as NV12.

Fix
    Name the format that the camera really delivers.

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
    "CL503",
    "buffer-uv-swapped",
    over="diagnosis:uv_swapped",
    category="color_space",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The picture was converted from YUV with U and V exchanged (used {used}, right is {want}).",
        "Converting the expected picture to YUV and back with the other chroma order gives the submitted "
        "bytes. The explanation re-creates {score_percent} % of the elements. Faults in the order in which "
        "they happened: {faults}.",
        "Use {want} as the source format: NV12 is U first (YCbCr_420_SP), NV21 is V first (YCrCb_420_SP).",
        {
            "used": shown(parameters, "used"),
            "want": shown(parameters, "want"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="uv_swapped",
        confidence=diagnosis.score,
    )
