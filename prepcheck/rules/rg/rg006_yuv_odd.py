"""Odd positions, sizes or strides of a YUV image.

What it checks
    Whether x, y, width and height of a YUV image (or its rectangle) are even, wstride too for formats with shared
    chroma, and hstride for 4:2:0.

Why it matters
    Two columns (and in 4:2:0 two rows) share one chroma value; librga refuses the rest (status -3, "Error yuv not
    align to 2").

How it is computed
    Each of the numbers modulo 2. The rectangle takes the place of the image's size.

Example
    A crop at x = 101 of an NV12 frame: 101 mod 2 = 1.

Fix
    Round boxes down to even positions and sizes before the call.

Limits
    RGB formats have no such rule: an odd x is legal there.

References
    RGA developer guide, image format alignment. librga 1.10.5 im2d_impl.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga_formats import RkFormat
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG006",
    "yuv-odd",
    over="rgachannel",
    category="stride",
    rank=Rank.STRIDE,
    sources=("rga:R-A02", "rga:R-A03", "RGA developer guide, image format alignment"),
)
def check(odd: list[str], format: RkFormat, operation: str, side: str) -> Iterator[Finding]:
    if not odd:
        return
    yield Finding(
        "{operation}'s {side} is {format} with odd numbers: {numbers}.",
        "Two columns share one chroma value (in 4:2:0 two rows too): x, y, width and height of a YUV image are even, "
        "and so are "
        'the strides. librga answers with status -3, "Error yuv not align to 2".',
        "Round them down to multiples of 2.",
        {"operation": operation, "side": side, "format": format.name, "numbers": ", ".join(odd)},
    )
