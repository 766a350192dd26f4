"""Memory smaller than the image that RGA is told of.

What it checks
    Whether the memory behind a channel holds all planes at the strides given.

Why it matters
    librga does not look at sizes. The driver answers "Only get buffer … byte", or, where it does not notice, the
    core runs past the end: other data are overwritten, or the job times out.

How it is computed
    wstride x hstride x bytes of a pixel: RGBA 4, RGB 3, RGB_565 and YUYV 2, 4:2:2 2, 4:2:0 1.5, gray 1. For
    10-bit formats wstride counts as bytes. The smallest stated size of the memory is taken: the channel's, the
    buffer's, the import's, the allocation's.

Example
    NV12 640x360: 640 x 360 x 1.5 = 345600 bytes; 230400 are the luma plane alone.

Fix
    Allocate wstride x hstride x bytes a pixel, chroma and padding included; import the buffer anew when the
    resolution changes.

Limits
    None.

References
    Kernel driver rga_mm.c (rga_image_size_cal). airockchip/librga#31, #51, #135; RGA FAQ Q4.8.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.plain import Value
from prepcheck.core.rga import Surface
from prepcheck.core.rga_formats import image_bytes
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG009",
    "memory-too-small",
    over="rgachannel",
    category="size",
    rank=Rank.SIZE,
    sources=("rga:R-B03", "rga:R-B04", "rga:R-B11", "airockchip/librga#31"),
)
def check(surface: Surface, size: int, needed: int, operation: str, side: str) -> Iterator[Finding]:
    if size >= needed:
        return
    fmt, luma = surface.format, surface.wstride * surface.hstride
    values: dict[str, Value] = {
        "operation": operation, "side": side, "got": size, "want": needed, "short": needed - size, "format": fmt.name,
        "wstride": surface.wstride, "hstride": surface.hstride, "pixel": fmt.num / fmt.den, "luma": luma,
    }  # fmt: skip
    explanation = (
        "{wstride} x {hstride} x {pixel} = {want} bytes; {short} are missing. The driver refuses the job or the core "
        "runs past the end."
    )
    if fmt.kind == "yuv" and size == luma:
        explanation += " {wstride} x {hstride} = {luma} bytes are the luma plane alone: the chroma has no room."
    if surface.wstride > surface.width and size == image_bytes(fmt, surface.width, surface.hstride):
        explanation += " The memory has the size of a packed image: the padding of the rows was left out."
    yield Finding(
        "{operation}'s {side} is {format} with strides {wstride}x{hstride} and needs {want} bytes; its memory has "
        "{got}.",
        explanation,
        "Allocate {want} bytes, or correct the size and strides in the call.",
        values,
    )
