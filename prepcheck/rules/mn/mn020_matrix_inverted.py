"""The matrix of ImageProcess is the inverse of the one that is needed.

What it checks
    Whether the scales of the matrix are destination/source (or the one factor of a letterbox).

Why it matters
    MNN's matrix maps destination pixels to source pixels. With the other direction a corner of the picture is enlarged to fill
    the destination; the rest is never looked at.

How it is computed
    Both scales within 1 % of destination/source; what is sampled: scale · (side − 1) + translation.

Example
    640x480 → 224x224 with scale 0.35, 0.466667: only the top left 78x104 pixels are seen. 640/224 = 2.857, 480/224 = 2.143
    are needed.

Fix
    setScale(source/destination) and postTranslate of the half-pixel shift, or build the matrix from source to destination and
    invert it.

Limits
    Matrices that rotate or skew are not looked at.

References
    alibaba/MNN#1440; measured: MNN 3.6.1 (gray ramp; mean difference 88 steps).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Axis, Verdict
from prepcheck.pixels.image_process.frame import inverse_scales
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN020",
    "matrix-inverted",
    over="convert",
    category="resize",
    rank=Rank.VALUES,
    runtimes=("mnn",),
    sources=("mnn:I2", "alibaba/MNN#1440", "measured: MNN 3.6.1"),
)
def check(verdict: Verdict, axes: tuple[Axis, Axis], label: str) -> Iterator[Finding]:
    across, down = axes
    if verdict.matrix_kind in ("none", "identity") or not inverse_scales(axes):
        return
    want = verdict.half_pixel
    seen = [round(a.scale * a.dest) for a in axes]
    yield Finding(
        "{label}: the matrix scales by {got_x:.6g}, {got_y:.6g}, which is destination/source; it maps destination to source, so "
        "{sw}x{sh} → {w}x{h} needs {want_x:.4g}, {want_y:.4g}.",
        "{sw}/{w} = {want_x:.4g} and {sh}/{h} = {want_y:.4g}. As it stands about {seen_w}x{seen_h} of the {sw}x{sh} source pixels are "
        "sampled and spread over the whole destination."
        if seen[0] < across.source or seen[1] < down.source
        else "{sw}/{w} = {want_x:.4g} and {sh}/{h} = {want_y:.4g}. As it stands the samples run up to {seen_w}x{seen_h}, beyond the "
        "{sw}x{sh} of the source.",
        "setScale({want_x:.9g}, {want_y:.9g}) and postTranslate({tx:.9g}, {ty:.9g}) (equal to OpenCV's resize), or invert the matrix that "
        "you have.",
        {
            "label": label, "got_x": across.scale, "got_y": down.scale, "sw": across.source, "sh": down.source, "w": across.dest,
            "h": down.dest, "want_x": want[0], "want_y": want[4], "tx": want[2], "ty": want[5], "seen_w": seen[0], "seen_h": seen[1],
        },
    )  # fmt: skip
