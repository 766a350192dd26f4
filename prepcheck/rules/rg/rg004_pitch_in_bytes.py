"""A row pitch in bytes where pixels are wanted.

What it checks
    Whether wstride is the width times the bytes of a pixel while the memory is as large as a packed image.

Why it matters
    RGA steps over pixels. With the pitch in bytes it reads every row several rows too far on, and runs past the
    end of the memory: a sheared picture, the driver's "Only get buffer", or a core that hangs.

How it is computed
    wstride = width x bytes of a pixel, and the memory holds less than wstride x hstride pixels. Where the size of
    the memory is not known, the same is a warning.

Example
    RGB_888, width 640, wstride 1920 = 3 x 640, memory 921600 = 640 x 480 x 3 bytes: in pixels the pitch is 640.

Fix
    wstride = bytes of a row / bytes of a pixel.

Limits
    Memory that is really that wide (a region of a wider picture) is larger and not reported; where its size is
    not known, nor is an image whose planes have more rows than the picture. Formats with one byte in the first
    plane cannot be told apart.

References
    librga im2d_type.h, rga_buffer_t: wstride in pixels. JeffyCN/rockchip_mirrors#33.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Surface
from prepcheck.core.rga_formats import image_bytes
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG004",
    "pitch-in-bytes",
    over="rgachannel",
    category="stride",
    rank=Rank.CALL,
    sources=("rga:R-B01", "JeffyCN/rockchip_mirrors#33"),
)
def check(surface: Surface, operation: str, side: str, size: int | None = None) -> Iterator[Finding]:
    fmt = surface.format
    pixel = fmt.pitch_bits // 8
    if pixel < 2 or fmt.ten_bit or surface.wstride != surface.width * pixel:
        return
    padded, packed = (
        image_bytes(fmt, surface.wstride, surface.hstride),
        image_bytes(fmt, surface.width, surface.hstride),
    )
    if (size is not None and size >= padded) or (size is None and surface.hstride != surface.height):
        return
    yield Finding(
        "{operation}'s {side} has a pitch of {wstride} pixels for a width of {width}: those are the bytes of a row.",
        "{format} takes {pixel} bytes a pixel and {width} x {pixel} = {wstride}. im2d counts strides in pixels, so "
        "rows of "
        "{row} bytes are taken: {padded} bytes in all, where the packed image has {packed}.",
        "wstride: {width} (bytes of a row divided by {pixel}).",
        {
            "operation": operation, "side": side, "wstride": surface.wstride, "width": surface.width,
            "format": fmt.name,
            "pixel": pixel, "row": surface.wstride * pixel, "padded": padded, "packed": packed, "size": size,
        },
        severity="error" if size is not None else "warning",
    )  # fmt: skip
