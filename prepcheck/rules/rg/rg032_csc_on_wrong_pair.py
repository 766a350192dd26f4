"""A colour space mode for another conversion.

What it checks
    Whether the mode that is set is for the direction in which the formats convert.

Why it matters
    librga refuses the call (status -4), it does not ignore the mode.

How it is computed
    YUV_TO_RGB modes need a YUV source and an RGB destination, RGB_TO_YUV modes the reverse.

Example
    YUV_TO_RGB_BT709_LIMIT on RGB_888 to BGR_888.

Fix
    Leave the mode out, or set one of the right direction.

Limits
    Names that are no im2d modes are not judged.

References
    librga 1.10.5 im2d_impl.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Surface
from prepcheck.core.rga_csc import Conversion, mode_of
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG032",
    "csc-on-wrong-pair",
    over="rga",
    category="color_space",
    rank=Rank.CALL,
    sources=("librga 1.10.5 im2d_impl.cpp",),
)
def check(csc: str, converts: Conversion, src: Surface, dst: Surface, operation: str) -> Iterator[Finding]:
    mode = mode_of(csc)
    if mode is None or mode.direction == converts:
        return
    yield Finding(
        "{operation} sets {csc} for {source} to {dest}, which is no such conversion.",
        "A mode on another pair of formats is an error (status -4), it is not ignored; nothing is written.",
        "Leave the mode out" + (", or set one that begins with {converts}." if converts != "none" else "."),
        {
            "operation": operation, "csc": csc, "source": src.format.name, "dest": dst.format.name,
            "converts": converts,
        },
    )  # fmt: skip
