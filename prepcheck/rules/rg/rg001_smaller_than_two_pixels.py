"""An image or rectangle of fewer than two pixels on one side.

What it checks
    Whether every size that an RGA call gets, the image's or the rectangle's that takes its place, is at least 2
    in both directions.

Why it matters
    RGA refuses the call (status -4, "Hardware limitation"). Sizes of 0 or below zero are refused before that.
    Often it is a sign that fields of the image structure have moved because header and library are of different
    versions: 1088 x 1 was seen where 1920 x 1080 was given.

How it is computed
    The rectangle's width and height where one is given, else the image's.

Example
    A rectangle [100, 50, 1, 40]: width 1 < 2.

Fix
    Clip boxes to the picture and leave out those that become thinner than 2 pixels (4 is safer with YUV). If
    sizes are right in the program, compile against the im2d headers of the library that is loaded.

Limits
    What a core needs beyond that (RGA3: 68 pixels of width) is a rule of its own.

References
    RGA developer guide, design index note 2. cqu20160901/yolov11_dfl_rknn_Cplusplus#2.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import SMALLEST, Surface
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG001",
    "smaller-than-two-pixels",
    over="rgachannel",
    category="size",
    rank=Rank.CALL,
    sources=("rga:R-C01", "RGA developer guide, design index note 2"),
)
def check(surface: Surface, operation: str, side: str) -> Iterator[Finding]:
    width, height = surface.work
    if min(width, height) >= SMALLEST:
        return
    yield Finding(
        "{operation} gets a {side} of {width}x{height} pixels; RGA works from 2x2 on.",
        "The smaller side is {least} < 2. librga answers with status -4 and nothing is written.",
        "Clip the box to the picture and leave out what is thinner than 2 pixels; if the program says another size, "
        "its headers "
        "are not those of the loaded librga.",
        {"operation": operation, "side": side, "width": width, "height": height, "least": min(width, height)},
    )
