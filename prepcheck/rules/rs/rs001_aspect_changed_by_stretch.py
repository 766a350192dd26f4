"""A stretch changes the aspect ratio, and nobody said that training did the same.

What it checks
    Whether all resizes together bring the picture to another ratio of width to height, by more than 2 %, where neither
    training nor postprocessing is stated.

Why it matters
    Objects become wider or narrower than anything the network saw in training, unless training stretched as well.
    Detectors trained with a letterbox lose accuracy, and their boxes come back displaced.

How it is computed
    (factor across) / (factor down) over all resizes, turned so that it is at least 1; crops and bars do not count.

Example
    800x800 → 800x400: 1 across, 0.5 down: a factor of 2: everything is squeezed to half its height.

Fix
    Letterbox to the model's size (scale with one factor, fill the rest), or crop to the model's ratio first. If the
    network was trained on stretched pictures, state it: `model: {training: {resize: stretch}}`.

Limits
    An info up to 5 % (rounding of sizes makes such ratios). In a plan of your own an info up to 4/3, which the usual random
    crops of training cover (torchvision RandomResizedCrop: ratio 3/4 to 4/3), and where `keep_ratio` is not stated.
    Where training or postprocessing is stated, RS002 and RS003 judge.

References
    Arithmetic. Public reports: rockchip-linux/rknpu2#85, airockchip/rknn_model_zoo (letterbox in its image utilities).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.chain import State
from prepcheck.registry import Finding, Rank, rule

ROUNDING = 1.05
AUGMENTED = 4 / 3 + 0.01


@rule(
    "RS001",
    "aspect-changed-by-stretch",
    over="path",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=("rockchip-linux/rknpu2#85",),
)
def check(
    final: State,
    fitting: str,
    distortion: float,
    declared: bool,
    ratio_claim: bool | None = None,
    training_resize: str | None = None,
    undo: str | None = None,
) -> Iterator[Finding]:
    if (
        fitting != "stretch"
        or training_resize is not None
        or undo is not None
        or not final.source_size
        or not final.size
    ):
        return
    if final.factors is None:
        return
    across, down = final.factors
    (sw, sh), (w, h) = final.source_size, final.size
    loud = distortion > (AUGMENTED if declared else ROUNDING) and not (declared and ratio_claim is None)
    yield Finding(
        "{sw}x{sh} is stretched to {w}x{h}: the aspect ratio changes by a factor of {factor:.3g}.",
        "The picture is scaled by {across:.4g} across and {down:.4g} down; the network sees shapes that it was not trained on, "
        "unless training stretched too.",
        "Letterbox to {w}x{h} or crop to its ratio first; if training stretched, state `model: {{training: {{resize: stretch}}}}`.",
        {"sw": sw, "sh": sh, "w": w, "h": h, "factor": distortion, "across": across, "down": down},
        severity="warning" if loud else "info",
    )
