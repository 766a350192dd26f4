"""YUV bytes were handed over as if they were RGB.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: yuv as rgb.

Why it matters
    Camera and decoder give NV12 or YUYV; nobody converted. The byte count differs, but memory of the right size
    hides that.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    NV12 in an RGB input: a grey picture three times side by side.

Fix
    Convert to RGB first (RGA imcvtcolor, cv2.cvtColor), or build the model with inputs_yuv_fmt.

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
    "CL502",
    "buffer-yuv-as-rgb",
    over="diagnosis:yuv_as_rgb",
    category="color_space",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The submitted bytes are {format}, taken as if they were RGB.",
        "The planes of the expected picture in {format}, laid one after the other, are the submitted bytes. "
        "The explanation re-creates {score_percent} % of the elements. Faults in the order in which they "
        "happened: {faults}.",
        "Convert {format} to RGB before handing over, and check that the conversion's return code says it ran.",
        {
            "format": shown(parameters, "format"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="yuv_as_rgb",
        confidence=diagnosis.score,
    )
