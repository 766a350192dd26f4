"""A picture in bars that is stretched all the same.

What it checks
    Whether a picture put into a painted frame (a letterbox) keeps its ratio of width to height.

Why it matters
    Bars are added to keep the ratio. If the box has another one, shapes are distorted and boxes are mapped back
    wrongly.

How it is computed
    (box width / box height) / (source width / source height), turned to be at least 1. rknn_model_zoo cuts the
    width to a multiple of 4 and the height to one of 2: what that explains is not reported, nor up to 2 %.

Example
    1920x1080 into a box of 640x400: (640/400) / (1920/1080) = 0.9, 1.11 times.

Fix
    Box = source x min(target width / source width, target height / source height), evened.

Limits
    Where training used a letterbox a warning; where only the frame was painted by imfill before, an info: a
    collage may be meant.

References
    rknn_model_zoo utils/image_utils.c (convert_image_with_letterbox).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.geometry import Box, distortion
from prepcheck.core.rga import Surface
from prepcheck.core.zoo_letterbox import zoo_letterbox
from prepcheck.registry import Finding, Rank, rule


def box_size(box: Box) -> tuple[int, int]:
    """Width and height of a box."""
    return (box.w, box.h)


@rule(
    "RG037",
    "letterbox-aspect",
    over="rga",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=("rga:Z-11", "rga:Z-12", "rga:Z-13", "rga:Z-14"),
)
def check(letterbox: str, src: Surface, dst: Surface, operation: str) -> Iterator[Finding]:
    box = dst.rect
    if src.work == box_size(box) or 0 in (*src.work, box.w, box.h):
        return
    factor = distortion(src.work, box_size(box))
    (sw, sh), right = src.work, zoo_letterbox(src.work, (dst.width, dst.height)).box
    slack = max(abs(box.w - box.h * sw / sh) / 4, abs(box.h - box.w * sh / sw) / 2)
    if factor < 1.02 or slack <= 1:
        return
    yield Finding(
        "{operation} puts {sw}x{sh} into a box of {bw}x{bh}: the ratio changes by a factor of {factor:.3g}.",
        "({bw} / {bh}) / ({sw} / {sh}) = {ratio:.4g}. The frame of {width}x{height} has bars, so the ratio was meant "
        "to stay.",
        "Take the box {right} (left, top, width, height), as convert_image_with_letterbox does.",
        {
            "operation": operation, "sw": sw, "sh": sh, "bw": box.w, "bh": box.h, "factor": factor,
            "width": dst.width,
            "height": dst.height, "ratio": (box.w / box.h) / (sw / sh), "right": [right.x, right.y, right.w, right.h],
        },
        severity="warning" if letterbox == "training" else "info",
    )  # fmt: skip
