"""A format that is not what the buffer holds.

What it checks
    Whether the formats of a call agree with the colours that the buffers are said to hold: NV12 or NV21, RGB or
    BGR.

Why it matters
    NV21 taken as NV12 exchanges blue and red of every colour (faces turn blue); RGB taken as BGR does the same.

How it is computed
    The colour of the `buffers` entry against the format's. A source told in the wrong order is harmless where
    both formats are the same: the order passes through.

Example
    A frame of NV21 described as YCbCr_420_SP (NV12).

Fix
    NV12 is RK_FORMAT_YCbCr_420_SP, NV21 is RK_FORMAT_YCrCb_420_SP; an OpenCV Mat is BGR_888, buffers of stb and
    TurboJPEG demos are RGB_888.

Limits
    Only where `buffers` states a colour.

References
    RGA developer guide, formats; RGA FAQ (blue and red exchanged).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.plain import Value
from prepcheck.core.rga import Surface
from prepcheck.core.rga_order import TWINS, order_fault
from prepcheck.registry import Finding, Rank, rule

RIGHT = {
    "NV12": "YCbCr_420_SP", "NV21": "YCrCb_420_SP", "I420": "YCbCr_420_P", "YUYV": "YUYV_422", "RGB": "RGB_888",
    "BGR": "BGR_888",
    "RGBA": "RGBA_8888", "BGRA": "BGRA_8888", "GRAY": "YCbCr_400",
}  # fmt: skip


@rule(
    "RG035",
    "content-described-wrong",
    over="rga",
    category="channel_order",
    rank=Rank.LAYOUT,
    sources=("RGA developer guide, image formats",),
)
def check(
    colors: tuple[str | None, str | None], src: Surface, dst: Surface, operation: str, where: str
) -> Iterator[Finding]:
    found = order_fault(colors[0], src.format, colors[1], dst.format)
    if found is None:
        return
    values: dict[str, Value] = {
        "operation": operation, "said": found.said, "real": found.real, "result": found.result,
        "source": src.format.name,
        "dest": dst.format.name,
    }  # fmt: skip
    yuv = not {found.real, found.said} <= {"RGB", "BGR", "RGBA", "BGRA"}
    if found.side == "dst":
        yield Finding(
            "{operation} writes {real} into a buffer that is said to hold {said}.",
            "The destination's format is {dest} and the source's {source}; what arrives has the order {real}.",
            "Choose the destination's format for {said}, or correct `color` of the buffer.",
            values,
            where=where + ".dst",
            category="color_space" if yuv else None,
        )
        return
    yield Finding(
        "The source of {operation} is {real} and is described as {source} ({said}).",
        "Two colour channels are exchanged: what becomes {dest} has red and blue (or U and V) the wrong way round."
        if TWINS.get(found.said) == found.real
        else "The bytes of {real} are not those of {said}: the picture cannot come out right.",
        "Describe it as what it is" + (": {right}." if found.real in RIGHT else "."),
        {**values, "right": RIGHT.get(found.real)},
        where=where + ".src",
        severity="error" if found.sure else "warning",
        category="color_space" if yuv else None,
    )
