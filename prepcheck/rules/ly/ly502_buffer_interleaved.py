"""Pixels are interleaved where planes are expected.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: interleaved instead of
    planar.

Why it matters
    HWC data in an NCHW tensor: every plane holds a mixture of the three channels.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    A cv2 picture copied into a CAFFE tensor.

Fix
    Transpose, or use a TENSORFLOW host tensor.

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
    "LY502",
    "buffer-interleaved",
    over="diagnosis:interleaved_instead_of_planar",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "The submitted bytes are interleaved (HWC); planes (CHW) are expected.",
        "Moving the channel axis of the expected buffer to the end gives the submitted bytes; the count of "
        "bytes is the same. The explanation re-creates {score_percent} % of the elements. Faults in the order"
        " in which they happened: {faults}.",
        "Transpose to CHW first, or (MNN) copy through a host tensor of dimension type TENSORFLOW.",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="interleaved_instead_of_planar",
        confidence=diagnosis.score,
    )
