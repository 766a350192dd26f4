"""A further image has another ratio of sides than the input.

What it checks
    Where no plan is given and several images are: every image after the first, of which the usual path (a stretch) would
    change the aspect ratio.

Why it matters
    As for RS001, which judges the path of the first image.

How it is computed
    (width of the input / height) / (width of the image / height), turned so that it is at least 1; more than 5 %.

Example
    The second image is 1920x1080, the input 640x640: a factor of 1.78.

Fix
    Letterbox or crop; or state in a plan that training stretched.

Limits
    Plans of your own say themselves what is done.

References
    rockchip-linux/rknpu2#85.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.geometry import distortion
from prepcheck.core.layouts import Dims
from prepcheck.registry import Finding, Rank, rule


@rule(
    "IM011",
    "further-image-stretched",
    over="image",
    category="resize",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("rockchip-linux/rknpu2#85",),
)
def check(image_size: tuple[int, int], target: Dims, declared: bool, is_first: bool, name: str) -> Iterator[Finding]:
    w, h = image_size
    if declared or is_first or min(w, h) < 1:
        return
    factor = distortion(image_size, (target.w, target.h))
    if factor <= 1.05:
        return
    yield Finding(
        "{name} ({w}x{h}) is stretched to {width}x{height}: the aspect ratio changes by a factor of {factor:.3g}.",
        "({width} / {height}) / ({w} / {h}) = {ratio:.4g}.",
        "Letterbox or crop it, or state in a plan that training stretched.",
        {
            "name": name,
            "w": w,
            "h": h,
            "width": target.w,
            "height": target.h,
            "factor": factor,
            "ratio": (target.w / target.h) / (w / h),
        },
    )
