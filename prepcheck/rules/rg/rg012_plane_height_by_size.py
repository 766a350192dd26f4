"""The size of the memory speaks for padded planes.

What it checks
    Whether a source of several planes, whose plane height is the picture's, has exactly the bytes of planes
    padded to 16 rows.

Why it matters
    Rockchip's decoders pad planes to 16 rows. If the frame comes from one and hstride is the picture's height,
    the chroma is read some rows too early (green, displaced tint).

How it is computed
    bytes = wstride x (height rounded up to 16) x bytes of a pixel, and not wstride x hstride x bytes of a pixel.

Example
    3133440 bytes for NV12 1920x1080: 1920 x 1088 x 1.5 = 3133440, while 1920 x 1080 x 1.5 = 3110400.

Fix
    Pass the frame's ver_stride as hstride, and state it: `producer: {name: mpp, hor_stride: …, ver_stride: …}`.

Limits
    A guess from one number, hence a warning: memory may simply be larger than needed. Sizes that are also the
    needed ones rounded to pages are not reported. Where ver_stride is stated, RG011 judges.

References
    airockchip/librga#75, #89; rockchip-linux/mpp#948.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import round_up
from prepcheck.core.rga import Surface
from prepcheck.core.rga_formats import image_bytes
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG012",
    "plane-height-by-size",
    over="rgachannel",
    category="stride",
    severity="warning",
    rank=Rank.STRIDE,
    sources=("rga:R-A10", "airockchip/librga#89"),
    confidence="M",
)
def check(
    surface: Surface, size: int, needed: int, is_source: bool, operation: str, ver_stride: int | None = None
) -> Iterator[Finding]:
    rows = round_up(surface.height, 16)
    if not is_source or ver_stride is not None or surface.format.planes < 2 or rows == surface.hstride:
        return
    padded = image_bytes(surface.format, surface.wstride, rows)
    if (
        size != padded
        or size in (needed, round_up(needed, 4096), round_up(needed, 65536))
        or surface.hstride != surface.height
    ):
        return
    yield Finding(
        "The source of {operation} has {got} bytes: as many as planes of {rows} rows take, but hstride is {hstride}.",
        "{wstride} x {rows} x {pixel} = {got}, while {wstride} x {hstride} x {pixel} = {want}. Decoders pad planes "
        "to 16 rows: if this "
        "frame is such a one, its colours are read {early} rows too early.",
        "Pass hstride {rows} if the decoder's ver_stride says so; state `producer: {{ver_stride: …}}` to settle it.",
        {
            "operation": operation, "got": size, "want": needed, "rows": rows, "hstride": surface.hstride,
            "wstride": surface.wstride, "early": rows - surface.hstride,
            "pixel": surface.format.num / surface.format.den,
        },
    )  # fmt: skip
