"""The picture is far smaller than the input.

What it checks
    Width and height of the picture against those of the input.

Why it matters
    Enlarged many times it is a blur: a test with it says nothing about the model, and an icon may have been taken for the
    picture.

How it is computed
    The smaller of the two ratios; more than 4 is an info, more than 8 a warning.

Example
    32x32 for an input of 640x640: enlarged 20 times.

Fix
    Use a picture of about the input's size or larger.

Limits
    None.

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims
from prepcheck.registry import Finding, Rank, rule


@rule(
    "IM008",
    "much-enlarged",
    over="image",
    category="image",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("arithmetic",),
    confidence="M",
)
def check(image_size: tuple[int, int], target: Dims, name: str) -> Iterator[Finding]:
    w, h = image_size
    times = min(target.w / max(w, 1), target.h / max(h, 1))
    if times <= 4:
        return
    yield Finding(
        "{name} has {w}x{h} pixels and is enlarged {times:.3g} times to {width}x{height}.",
        "{width} / {w} = {across:.3g}, {height} / {h} = {down:.3g}: the network sees a blur.",
        "Use a picture of about the input's size or larger.",
        {
            "name": name,
            "w": w,
            "h": h,
            "width": target.w,
            "height": target.h,
            "times": times,
            "across": target.w / max(w, 1),
            "down": target.h / max(h, 1),
        },
        severity="warning" if times > 8 else "info",
    )
