"""The middle of the picture was cut out.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: center crop.

Why it matters
    The sides (or top and bottom) never reach the network.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    torchvision's CenterCrop.

Fix
    Resize the whole picture, or state the crop in the plan.

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
    "RS505",
    "buffer-center-crop",
    over="diagnosis:center_crop",
    category="resize",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "Only the part {crop} (x, y, width, height) of the image was scaled into the frame.",
        "Scaling to cover the frame and cutting off the rest gives the submitted bytes. The explanation "
        "re-creates {score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Resize the whole image, or state `crop` in the plan if training cropped.",
        {
            "crop": shown(parameters, "crop"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="center_crop",
        confidence=diagnosis.score,
    )
