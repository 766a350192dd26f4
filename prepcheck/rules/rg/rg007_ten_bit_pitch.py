"""The pitch of a 10-bit format counts bytes.

What it checks
    Whether wstride of a 10-bit YUV image is large enough for the bytes of a row.

Why it matters
    For these formats RGA2's driver takes wstride as bytes. With the width in its place rows overlap: a sheared
    picture in false colours, no error.

How it is computed
    A row of packed 10-bit luma takes ceil(width x 10 / 8) bytes; wstride must not be less.

Example
    3840 pixels are 4800 bytes; wstride 3840 is 960 too few.

Fix
    Pass the decoder's hor_stride in bytes, a multiple of 16 on RGA2 and of 64 on RGA3.

Limits
    Read in the driver for RGA2; for RGA3 not known, hence a warning on chips that have one. 16-bit containers
    (P010) are another format that RGA does not have.

References
    Kernel driver rga2_reg_info.c (1.3.11). airockchip/librga#100 (unresolved).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import RgaChip, Surface
from prepcheck.core.rga_formats import ten_bit_row
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG007",
    "ten-bit-pitch",
    over="rgachannel",
    category="stride",
    rank=Rank.STRIDE,
    sources=("rga:R-A04", "kernel driver rga2_reg_info.c 1.3.11"),
    confidence="M",
)
def check(surface: Surface, operation: str, side: str, chip: RgaChip) -> Iterator[Finding]:
    if not surface.format.ten_bit:
        return
    want = ten_bit_row(surface.width)
    if surface.wstride >= want:
        return
    yield Finding(
        "{operation}'s {side} is {format} with wstride {wstride}; a row of {width} pixels takes {want} bytes.",
        "RGA2 takes wstride of 10-bit formats as bytes: {width} x 10 / 8 = {want}. {wstride} is {short} too few, so "
        "rows overlap.",
        "wstride: the decoder's pitch in bytes, at least {want} (hor_stride of MPP).",
        {
            "operation": operation, "side": side, "format": surface.format.name, "wstride": surface.wstride,
            "width": surface.width, "want": want, "short": want - surface.wstride,
        },
        severity="error" if all(core.kind == "rga2" for core in chip.cores) else "warning",
    )  # fmt: skip
