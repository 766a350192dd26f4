"""A pitch that is not the producer's.

What it checks
    Whether wstride is the row pitch with which the decoder or camera wrote the frame.

Why it matters
    Every row is read some pixels too early or too late: the picture is sheared. Nobody reports it.

How it is computed
    wstride = hor_stride of the producer. A hor_stride in bytes that is the same pitch is accepted.

Example
    MPP writes 1920 pixels at a pitch of 2304; wstride 1920 takes row 1 from 384 pixels before its begin.

Fix
    Pass the frame's hor_stride as wstride (mpp_frame_get_hor_stride; bytesperline of V4L2).

Limits
    None.

References
    RGA developer guide; airockchip/librga#75, #89, #146.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Surface
from prepcheck.core.rga_formats import pitch_bytes
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG010",
    "producer-pitch",
    over="rgachannel",
    category="stride",
    rank=Rank.STRIDE,
    sources=("rga:R-A10", "airockchip/librga#146"),
)
def check(surface: Surface, hor_stride: int, producer_name: str, operation: str) -> Iterator[Finding]:
    fmt = surface.format
    if hor_stride == surface.wstride or (not fmt.ten_bit and hor_stride == pitch_bytes(fmt, surface.wstride)):
        return
    yield Finding(
        "The {producer} writes rows of {got} pixels, {operation} reads rows of {wstride}: the picture is sheared.",
        "Row n begins at n x {got} and is looked for at n x {wstride}: it is displaced by {shift} pixels more with "
        "every row.",
        "Pass wstride {got}, the producer's hor_stride (width stays {width}).",
        {
            "producer": producer_name, "operation": operation, "got": hor_stride, "wstride": surface.wstride,
            "shift": abs(hor_stride - surface.wstride), "width": surface.width,
        },
    )  # fmt: skip
