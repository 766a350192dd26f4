"""Calibration saw the channels in another order than the application hands over.

What it checks
    quant_img_RGB2BGR of the build (in the model file, or in `build.rgb2bgr`) against the order that is submitted.

Why it matters
    The option exchanged R and B of the calibration pictures because the network wants BGR. The runtime swaps nothing: RGB
    at run time is the wrong order. Where the network was trained on RGB, the option itself was wrong: ranges and means
    belong to the other channels.

How it is computed
    The order after the last step, and `training.color` where stated.

Example
    Built with quant_img_RGB2BGR=True, the application hands over RGB.

Fix
    Hand over BGR, or build without the option.

Limits
    A warning: what the network was trained on decides, and only the plan can say it. Without a plan the note of the
    contract (CT013) says it.

References
    RKNN Toolkit2 API reference 2.3.2 §2.2 config; measured: rgb2bgr stands in files of toolkits 1.6.0 and 2.5.0, nothing
    swaps at run time.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "CL003",
    "calibrated-in-other-order",
    over="path",
    category="channel_order",
    severity="warning",
    rank=Rank.VALUES,
    runtimes=("rknn",),
    sources=("RKNN Toolkit2 API reference 2.3.2 §2.2", "runtime:P-12"),
    confidence="M",
)
def check(
    fed_color: str, calibrated_swapped: bool, declared: bool, label: str, training_color: str | None = None
) -> Iterator[Finding]:
    if not calibrated_swapped or not declared or fed_color[:3] not in ("RGB", "BGR"):
        return
    if training_color is not None and training_color[:3] == "RGB":
        yield Finding(
            "{label} was calibrated with R and B exchanged (quant_img_RGB2BGR), but the network was trained on {trained}.",
            "Calibration pictures went in as BGR; mean, std and the ranges found belong to the other channels.",
            "Build without quant_img_RGB2BGR, with mean and std in RGB order.",
            {"label": label, "trained": training_color, "fed": fed_color},
            scope="conversion",
        )
    elif training_color is None and fed_color[:3] == "RGB":
        yield Finding(
            "{label} was calibrated with R and B exchanged (quant_img_RGB2BGR): it wants BGR, and gets {fed}.",
            "The option concerns calibration pictures only; at run time nobody swaps.",
            "Hand over BGR; or, if the network was trained on RGB, build without the option.",
            {"label": label, "fed": fed_color},
        )
