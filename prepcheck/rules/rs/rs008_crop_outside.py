"""A crop reaches beyond the picture.

What it checks
    The box of every crop step against the size of the picture at that step.

Why it matters
    Array slices are cut short silently (the result is smaller than the box), cv::Mat throws, C code reads foreign memory.

How it is computed
    left ≥ 0, top ≥ 0, left + width ≤ picture width, top + height ≤ picture height.

Example
    box [1200, 0, 640, 640] in 1280x720: 1200 + 640 = 1840 > 1280.

Fix
    Clamp the box, or pad the picture first.

Limits
    The size before must be known (decode step with `size`).

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RS008",
    "crop-outside",
    over="path",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=("arithmetic",),
)
def check(crops: list[tuple[int, tuple[int, int], list[int]]]) -> Iterator[Finding]:
    for step, (width, height), (x, y, w, h) in crops:
        if x >= 0 and y >= 0 and w > 0 and h > 0 and x + w <= width and y + h <= height:
            continue
        yield Finding(
            "steps[{step}] crops [{x}, {y}, {w}, {h}] out of {width}x{height}: the box reaches beyond the picture.",
            "{x} + {w} = {right} (width {width}), {y} + {h} = {bottom} (height {height}); a box begins at 0 or later and is not empty.",
            "Clamp the box to the picture, or pad the picture first.",
            {
                "step": step,
                "x": x,
                "y": y,
                "w": w,
                "h": h,
                "width": width,
                "height": height,
                "right": x + w,
                "bottom": y + h,
            },
        )
        return
