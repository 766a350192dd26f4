"""A stretch changes the aspect ratio.

What it checks
    Whether a resize without letterbox brings the picture to another ratio of width to height, by more than 2 %.

Why it matters
    Objects become wider or narrower than anything the network saw in training, unless training stretched as well.
    Detectors trained with a letterbox lose accuracy, and their boxes come back displaced.

How it is computed
    (target width / target height) / (source width / source height), turned so that it is at least 1.

Example
    800x800 → 800x400: (800/400) / (800/800) = 2: everything is squeezed to half its height.

Fix
    Letterbox to the model's size (scale with one factor, fill the rest), or crop to the model's ratio first. If the
    network was trained on stretched pictures, state it: `model: {training: {resize: stretch}}`.

Limits
    Up to 5 % is an info: rounding of sizes makes such ratios. Where training says `stretch` there is nothing to report.

References
    Arithmetic. Public reports: rockchip-linux/rknpu2#85, airockchip/rknn_model_zoo (letterbox in its image utilities).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.geometry import distortion
from prepcheck.pixels.chain import State
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RS001",
    "aspect-changed-by-stretch",
    over="path",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=("rockchip-linux/rknpu2#85",),
)
def check(final: State, training_resize: str | None = None) -> Iterator[Finding]:
    if final.geometry != "stretch" or training_resize is not None or not final.source_size or not final.size:
        return
    factor = distortion(final.source_size, final.size)
    if factor < 1.02:
        return
    (sw, sh), (w, h) = final.source_size, final.size
    yield Finding(
        "{sw}x{sh} is stretched to {w}x{h}: the aspect ratio changes by a factor of {factor:.3g}.",
        "({w}/{h}) / ({sw}/{sh}) = {ratio:.4g}; {axis} is squeezed against the other axis. The network sees shapes that it was "
        "not trained on, unless training stretched too.",
        "Letterbox to {w}x{h} or crop to its ratio first; if training stretched, state `model: {{training: {{resize: stretch}}}}`.",
        {
            "sw": sw,
            "sh": sh,
            "w": w,
            "h": h,
            "factor": factor,
            "ratio": (w / h) / (sw / sh),
            "axis": "the height" if (w / h) > (sw / sh) else "the width",
        },
        severity="warning" if factor > 1.05 else "info",
    )
