"""A rectangle that leaves the image.

What it checks
    Whether the rectangle of an RGA channel lies inside the memory that the strides describe.

Why it matters
    librga refuses it (status -3, "the sum of width and height of rect"). A rectangle inside the strides but
    beyond the picture is accepted and takes the padding along: a bar of old bytes at the edge.

How it is computed
    x + w <= wstride and y + h <= hstride, and x, y >= 0; against width and height for the padding.

Example
    [1600, 0, 400, 300] in an image of 1920 pixels: 1600 + 400 = 2000 > 1920.

Fix
    Clip the box to the picture before the call.

Limits
    None.

References
    librga im2d_impl.cpp, rga_check_info (1.10.5).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.geometry import Box
from prepcheck.core.plain import Value
from prepcheck.core.rga import Surface
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG002",
    "rect-outside-image",
    over="rgachannel",
    category="size",
    rank=Rank.CALL,
    sources=("rga:R-A05", "librga 1.10.5 im2d_impl.cpp"),
)
def check(surface: Surface, stated_rect: Box, operation: str, side: str) -> Iterator[Finding]:
    box = stated_rect
    if surface.wstride < surface.width or surface.hstride < surface.height:
        return  # the strides are wrong, not the rectangle
    right, bottom = box.x + box.w, box.y + box.h
    values: dict[str, Value] = {
        "operation": operation, "side": side, "rect": [box.x, box.y, box.w, box.h], "x": box.x, "y": box.y,
        "right": right, "bottom": bottom,
        "width": surface.width, "height": surface.height, "wstride": surface.wstride, "hstride": surface.hstride,
    }  # fmt: skip
    if box.x < 0 or box.y < 0 or right > surface.wstride or bottom > surface.hstride:
        yield Finding(
            "The rectangle {rect} of {operation}'s {side} leaves the image of {width}x{height}.",
            "It spans columns {x} to {right} and rows {y} to {bottom}; rows hold {wstride} pixels, planes {hstride} "
            "rows. librga answers with "
            "status -3 and nothing is written.",
            "Clip the box to 0 … {width} and 0 … {height} before the call.",
            values,
        )
    elif right > surface.width or bottom > surface.height:
        yield Finding(
            "The rectangle {rect} of {operation}'s {side} reaches beyond the picture of {width}x{height} into its "
            "padding.",
            "It ends at column {right} and row {bottom}. The strides ({wstride}, {hstride}) allow that, so the "
            "padding is taken "
            "along as if it were picture.",
            "Clip the box to 0 … {width} and 0 … {height}.",
            values,
            severity="warning",
        )
