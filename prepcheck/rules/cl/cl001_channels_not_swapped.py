"""The picture reaches the network in the other channel order than in training, and nothing swaps it.

What it checks
    The colour order after the last step (or of the submitted buffer) against `training.color`, where no step exchanges R and B.

Why it matters
    OpenCV decodes to BGR, most networks are trained on RGB. There is no error: skin is blue to the network, and accuracy
    drops by a few percent, or more where colour matters.

How it is computed
    The order is followed through decode, convert_color, RGA and ImageProcess steps.

Example
    cv2.imread gives BGR; the network was trained on RGB: 3.4 mAP less in one report.

Fix
    One cv2.cvtColor(img, cv2.COLOR_BGR2RGB) after decoding, or decode to the order of training.

Limits
    Needs `training.color`. quant_img_RGB2BGR of rknn-toolkit2 swaps calibration pictures only, nothing at run time.

References
    CondadosAI/modern-yolonas#7, alibaba/MNN#509; RKNN Toolkit2 API reference 2.3.2 (quant_img_RGB2BGR).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "CL001",
    "channels-not-swapped",
    over="path",
    category="channel_order",
    severity="error",
    rank=Rank.VALUES,
    sources=("CondadosAI/modern-yolonas#7", "alibaba/MNN#509", "runtime:G-20"),
)
def check(fed_color: str, training_color: str, swaps: int, label: str) -> Iterator[Finding]:
    if swaps or {fed_color[:3], training_color[:3]} != {"RGB", "BGR"}:
        return
    yield Finding(
        "{label} gets {fed}, the network was trained on {trained}, and no step swaps the channels.",
        "The first channel holds what training had in the third. No call reports this; colours are exchanged for the network.",
        "Exchange R and B once before the hand-over (cv2.cvtColor with COLOR_BGR2RGB, dest_format in MNN's ImageProcess), or decode "
        "to {trained}.",
        {"label": label, "fed": fed_color, "trained": training_color},
        fault="channels_swapped",
    )
