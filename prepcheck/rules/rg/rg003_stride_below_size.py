"""Strides shorter than the image.

What it checks
    Whether wstride is at least the width and hstride at least the height.

Why it matters
    librga refuses the image (status -3, "Virtual width or height is less than").

How it is computed
    wstride >= width and hstride >= height; a stride of 0 stands for the size.

Example
    width 640, wstride 320: 320 < 640.

Fix
    Give the pitch of the memory in pixels and the rows of a plane; 0 where nothing is padded.

Limits
    None.

References
    librga im2d_impl.cpp, rga_check_info (1.10.5).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Surface
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG003",
    "stride-below-size",
    over="rgachannel",
    category="stride",
    rank=Rank.CALL,
    sources=("rga:R-A05", "librga 1.10.5 im2d_impl.cpp"),
)
def check(surface: Surface, operation: str, side: str) -> Iterator[Finding]:
    for axis, stride, size in (
        ("wstride", surface.wstride, surface.width),
        ("hstride", surface.hstride, surface.height),
    ):
        if stride < size:
            yield Finding(
                "{operation}'s {side} has {axis} {stride} for an image of {width}x{height}.",
                "{axis} is the distance in pixels between rows, or in rows between planes: at least {size}. librga "
                "answers with "
                "status -3 and nothing is written.",
                "Give the memory's real {axis}, or 0 for \"the same as the size\".",
                {
                    "operation": operation, "side": side, "axis": axis, "stride": stride, "size": size,
                    "width": surface.width, "height": surface.height,
                },
            )  # fmt: skip
