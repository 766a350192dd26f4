"""The YUV range of the conversion is not the picture's.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: yuv range.

Why it matters
    Limited range (16..235) taken as full makes the picture pale; the other way round clips it.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    BT.601 limited data converted as full range.

Fix
    Set the conversion mode to the producer's range.

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
    "CL504",
    "buffer-yuv-range",
    over="diagnosis:yuv_range",
    category="color_space",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The picture was converted with the wrong YUV range (used {used}, right is {want}).",
        "Black and white land elsewhere: limited range maps 16..235 to 0..255, full range maps 0..255. The "
        "explanation re-creates {score_percent} % of the elements. Faults in the order in which they "
        "happened: {faults}.",
        "Set the range of the conversion to {want} (RGA: the csc mode; cv2 always uses limited BT.601).",
        {
            "used": shown(parameters, "used"),
            "want": shown(parameters, "want"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="yuv_range",
        confidence=diagnosis.score,
    )
