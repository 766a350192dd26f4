"""Red and blue are exchanged in the submitted bytes.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: channels swapped.

Why it matters
    The network sees blue faces and red skies. It still answers, a little worse, so it is often overlooked.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    BGR of cv2.imread handed to a model trained on RGB.

Fix
    Convert once, right after decoding (`cv2.COLOR_BGR2RGB`), or state the order that really is wanted.

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
    "CL501",
    "buffer-channels-swapped",
    over="diagnosis:channels_swapped",
    category="channel_order",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "R and B are exchanged in the submitted bytes.",
        "Exchanging the first and the third channel of the expected buffer gives the submitted one. The "
        "explanation re-creates {score_percent} % of the elements. Faults in the order in which they "
        "happened: {faults}.",
        "Convert the colour order once before handing over (cv2.cvtColor with COLOR_BGR2RGB, or "
        "RGA/ImageProcess with the other format).",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="channels_swapped",
        confidence=diagnosis.score,
    )
