"""Most of the submitted values lie outside what the input's zero point and scale can hold.

What it checks
    The submitted range, after mean and std of the model, against (qmin − zp) · scale … (qmax − zp) · scale.

Why it matters
    Everything beyond the ends becomes the end: pixels turn into black and white, the answer hardly depends on the picture.

How it is computed
    Per channel; the part of the range that no code holds. More than half: an error. Less is judged by the rules on
    calibration, except for inputs that are no pictures (a warning from 5 %).

Example
    Zero point −14 and scale 0.018658 hold −2.127..2.631. Pixels 0..255 with mean 0 and std 1: 99 % saturate.

Fix
    The model was calibrated on normalised values: hand those over, or build with mean and std so that pixels are right.

Limits
    mean and std must be known. Bytes that are codes already (type INT8, pass_through) are not judged.

References
    PaddlePaddle/FastDeploy#2284, airockchip/rknn-toolkit2#529. Values of inputs that are not four-dimensional do not
    saturate but wrap (measured: librknnrt 1.5.2 and librknnmrt 2.3.2, −0.51 → 127).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.normalization import ValueUse
from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM013",
    "values-saturate",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("PaddlePaddle/FastDeploy#2284", "runtime:Q-05", "runtime:Q-07"),
)
def check(value_use: ValueUse, label: str, is_image: bool, zero_point: int = 0) -> Iterator[Finding]:
    mostly = value_use.outside > 0.5
    if not mostly and (is_image or value_use.outside < 0.05):
        return
    yield Finding(
        "{label}: the values handed over become {low:.4g}..{high:.4g} in the model, its codes hold {held_low:.4g}..{held_high:.4g}: "
        "{percent:.3g} % of the range is cut off.",
        "Zero point {zero_point} and scale {scale} hold {held_low:.4g}..{held_high:.4g}; {fed_low:.4g}..{fed_high:.4g} is given.",
        "Hand over values in that range, or build the model with the mean and std that bring pixels there.",
        {
            "label": label,
            "low": value_use.seen[0],
            "high": value_use.seen[1],
            "held_low": value_use.held[0],
            "held_high": value_use.held[1],
            "percent": 100 * value_use.outside,
            "zero_point": zero_point,
            "scale": value_use.scale,
            "fed_low": value_use.fed[0],
            "fed_high": value_use.fed[1],
        },
        severity="error" if mostly else "warning",
    )
