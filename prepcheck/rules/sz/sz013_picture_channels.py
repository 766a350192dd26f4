"""The picture that the steps end in has another number of channels than the input.

What it checks
    Channels after the host's last step (RGB 3, RGBA 4, GRAY 1) against those of the input.

Why it matters
    Four bytes a pixel for three shift every pixel; a grey picture for a colour input is a third of the bytes.

How it is computed
    The colour is followed through the steps.

Example
    decode to RGBA, input of 3 channels.

Fix
    Convert to the input's number of channels.

Limits
    YUV is CL004.

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims
from prepcheck.pixels.chain import State
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ013",
    "picture-channels",
    over="path",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=("arithmetic",),
)
def check(final: State, dims: Dims, label: str) -> Iterator[Finding]:
    if final.channels is None or final.channels == dims.c or final.geometry == "matrix":
        return
    yield Finding(
        "The steps end in {color}, {given} channel(s) a pixel; {label} has {channels}.",
        "{w}x{h}x{given} = {got} values are given, {w}x{h}x{channels} = {want} are taken.",
        "Convert to {channels} channel(s) before the hand-over.",
        {
            "color": final.color,
            "given": final.channels,
            "channels": dims.c,
            "label": label,
            "w": dims.w,
            "h": dims.h,
            "got": dims.w * dims.h * final.channels,
            "want": dims.w * dims.h * dims.c,
        },
    )
