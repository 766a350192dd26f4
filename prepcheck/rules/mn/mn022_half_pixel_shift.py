"""The matrix lacks the half-pixel shift: the pixels are not those of OpenCV's resize.

What it checks
    Whether a bilinear resize uses the scale source/destination, or (source − 1)/(destination − 1), without translation.

Why it matters
    OpenCV, Pillow and the training frameworks look at pixel centres: x_src = (x + 0.5)·s − 0.5. MNN takes s·x. The picture is
    displaced by up to (s − 1)/2 source pixels. On a photo the values differ by up to 189 steps (mean 10.7) for 640 → 224 with
    s = source/destination, up to 123 (mean 6.3) with (source − 1)/(destination − 1), by at most 1 with the shift.

How it is computed
    The matrix against the two usual ones, within 0.02 source pixels at the far corner.

Example
    640x480 → 224x224: setScale(2.857142857, 2.142857143) alone; postTranslate(0.9285714286, 0.5714285714) is missing.

Fix
    The exact matrix is in the finding.

Limits
    Bilinear only, and not for YUV sources, which MNN always samples NEAREST. Networks trained through MNN itself may want the
    shift left out.

References
    Measured: MNN 3.6.1 against OpenCV 4.11 on a photo and on noise, five sizes.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Verdict
from prepcheck.pixels.image_process.config import YUV_SOURCES
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN022",
    "half-pixel-shift",
    over="convert",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    runtimes=("mnn",),
    sources=("mnn:I4", "measured: MNN 3.6.1 against OpenCV 4.11"),
)
def check(
    planned: PlannedCall, verdict: Verdict, sizes_differ: bool, filter_stated: str, label: str
) -> Iterator[Finding]:
    kind = verdict.matrix_kind
    if not sizes_differ or kind not in ("top_left", "corners") or filter_stated != "bilinear":
        return
    if planned.config.source_format in YUV_SOURCES:
        return
    (sw, sh), (w, h) = planned.size, (planned.dest.dims.w, planned.dest.dims.h)
    want = verdict.half_pixel
    yield Finding(
        "{label}: the scale source/destination without the half-pixel shift: {sw}x{sh} → {w}x{h} is displaced by {off_x:.3g} x {off_y:.3g} "
        "source pixels."
        if kind == "top_left"
        else "{label}: the scale (source − 1)/(destination − 1) is not that of a resize: {sw}x{sh} → {w}x{h} is displaced by up to "
        "{off_x:.3g} x {off_y:.3g} source pixels.",
        "OpenCV samples at (x + 0.5)·s − 0.5 with s = {want_x:.9g}, {want_y:.9g}; MNN at s·x + t. With t = 0.5·s − 0.5 the two agree "
        "within 1 step; without it a photo differs by more than 100.",
        "setScale({want_x:.9g}, {want_y:.9g}) and then postTranslate({tx:.9g}, {ty:.9g}).",
        {
            "label": label, "sw": sw, "sh": sh, "w": w, "h": h, "want_x": want[0], "want_y": want[4], "tx": want[2], "ty": want[5],
            "off_x": abs(want[2]), "off_y": abs(want[5]), "matrix": [*want],
        },
    )  # fmt: skip
