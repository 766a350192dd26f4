"""The pixel formats of librga: planes, bits, subsampling, and the bytes that an image of them takes.

Names are those of rga.h without `RK_FORMAT_`. Standard library only. Source, where nothing else is said: RGA developer
guide (tables of formats and of alignment) and the kernel driver's rga_image_size_cal.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Final


@dataclass(frozen=True, slots=True)
class RkFormat:
    """One format.

    code: the number of rga.h divided by 256 (the kernel's own number). group: the unit in which cores support formats.
    kind: `rgb`, `yuv` (luma first, chroma in planes of its own), `yuyv` (packed luma and chroma), `gray` or `other`.
    pitch_bits: bits of one pixel of the first plane, on which the row rule rests. num, den: all planes together take
    num/den bytes a pixel. sub: pixels that share a chroma value, across and down. color: the name that plans use.
    """

    name: str
    code: int
    group: str
    kind: str
    pitch_bits: int
    num: int
    den: int = 1
    sub: tuple[int, int] = (1, 1)
    planes: int = 1
    ten_bit: bool = False
    color: str | None = None

    @property
    def channels(self) -> int | None:
        """Bytes that lie beside each other for one pixel, where each is a channel of its own."""
        if self.kind == "rgb" and self.group not in ("rgb565", "rgba16", "argb16"):
            return self.pitch_bits // 8
        return 1 if self.kind == "gray" and self.num == self.den else None

    @property
    def is_yuv(self) -> bool:
        """Whether librga treats it as YUV (gray too)."""
        return self.kind in ("yuv", "yuyv", "gray")


_QUARTER, _HALF = (2, 2), (2, 1)


def _rgb(name: str, code: int, group: str, size: int, color: str | None = None) -> RkFormat:
    return RkFormat(name, code, group, "rgb", size * 8, size, color=color)


def _semi(
    name: str, code: int, group: str, num: int, den: int, sub: tuple[int, int], color: str | None = None
) -> RkFormat:
    ten = group.endswith("10")
    return RkFormat(name, code, group, "yuv", 10 if ten else 8, num, den, sub, 2, ten, color)


def _planar(
    name: str, code: int, group: str, num: int, den: int, sub: tuple[int, int], color: str | None = None
) -> RkFormat:
    return RkFormat(name, code, group, "yuv", 8, num, den, sub, 3, color=color)


def _packed(name: str, code: int, group: str, color: str | None = None) -> RkFormat:
    if group == "yuyv422":
        return RkFormat(name, code, group, "yuyv", 16, 2, 1, _HALF, color=color)
    return RkFormat(
        name, code, group, "yuyv", 16, 3, 2, _QUARTER, color=color
    )  # versions of librga say 1.5 or 2: the least


FORMATS: Final[dict[str, RkFormat]] = {
    f.name: f
    for f in (
        _rgb("RGBA_8888", 0x00, "rgba32", 4, "RGBA"),
        _rgb("RGBX_8888", 0x01, "rgbx32", 4, "RGBA"),
        _rgb("RGB_888", 0x02, "rgb888", 3, "RGB"),
        _rgb("BGRA_8888", 0x03, "rgba32", 4, "BGRA"),
        _rgb("RGB_565", 0x04, "rgb565", 2),
        _rgb("RGBA_5551", 0x05, "rgba16", 2),
        _rgb("RGBA_4444", 0x06, "rgba16", 2),
        _rgb("BGR_888", 0x07, "rgb888", 3, "BGR"),
        _semi("YCbCr_422_SP", 0x08, "yuv422sp", 2, 1, _HALF),
        _planar("YCbCr_422_P", 0x09, "yuv422p", 2, 1, _HALF),
        _semi("YCbCr_420_SP", 0x0A, "yuv420sp", 3, 2, _QUARTER, "NV12"),
        _planar("YCbCr_420_P", 0x0B, "yuv420p", 3, 2, _QUARTER, "I420"),
        _semi("YCrCb_422_SP", 0x0C, "yuv422sp", 2, 1, _HALF),
        _planar("YCrCb_422_P", 0x0D, "yuv422p", 2, 1, _HALF),
        _semi("YCrCb_420_SP", 0x0E, "yuv420sp", 3, 2, _QUARTER, "NV21"),
        _planar("YCrCb_420_P", 0x0F, "yuv420p", 3, 2, _QUARTER),
        RkFormat("Y4", 0x14, "y4", "gray", 8, 1, 2),
        RkFormat("YCbCr_400", 0x15, "y400", "gray", 8, 1, color="GRAY"),
        _rgb("BGRX_8888", 0x16, "rgbx32", 4, "BGRA"),
        _packed("YVYU_422", 0x18, "yuyv422"),
        _packed("YVYU_420", 0x19, "yuyv420"),
        _packed("VYUY_422", 0x1A, "yuyv422"),
        _packed("VYUY_420", 0x1B, "yuyv420"),
        _packed("YUYV_422", 0x1C, "yuyv422", "YUYV"),
        _packed("YUYV_420", 0x1D, "yuyv420"),
        _packed("UYVY_422", 0x1E, "yuyv422"),
        _packed("UYVY_420", 0x1F, "yuyv420"),
        _semi("YCbCr_420_SP_10B", 0x20, "yuv420sp10", 3, 2, _QUARTER),
        _semi("YCrCb_420_SP_10B", 0x21, "yuv420sp10", 3, 2, _QUARTER),
        _semi("YCbCr_422_SP_10B", 0x22, "yuv422sp10", 2, 1, _HALF),
        _semi("YCrCb_422_SP_10B", 0x23, "yuv422sp10", 2, 1, _HALF),
        _rgb("BGR_565", 0x24, "rgb565", 2),
        _rgb("BGRA_5551", 0x25, "rgba16", 2),
        _rgb("BGRA_4444", 0x26, "rgba16", 2),
        _rgb("ARGB_8888", 0x28, "argb32", 4),
        _rgb("XRGB_8888", 0x29, "xrgb32", 4),
        _rgb("ARGB_5551", 0x2A, "argb16", 2),
        _rgb("ARGB_4444", 0x2B, "argb16", 2),
        _rgb("ABGR_8888", 0x2C, "argb32", 4),
        _rgb("XBGR_8888", 0x2D, "xrgb32", 4),
        _rgb("ABGR_5551", 0x2E, "argb16", 2),
        _rgb("ABGR_4444", 0x2F, "argb16", 2),
        RkFormat("A8", 0x31, "a8", "other", 8, 1),
        _semi("YCbCr_444_SP", 0x32, "yuv444sp", 3, 1, (1, 1)),
        _semi("YCrCb_444_SP", 0x33, "yuv444sp", 3, 1, (1, 1)),
        RkFormat("Y8", 0x34, "y8", "gray", 8, 1),
    )
}
"""Every format that an NPU's pipeline can meet, by name. Left out: the palettes (BPP1 … BPP8, RGBA2BPP)."""

ALIASES: Final = {
    "YCbCr_420_SP_10b": "YCbCr_420_SP_10B", "YCrCb_420_SP_10b": "YCrCb_420_SP_10B",
    "YCbCr_422_10b_SP": "YCbCr_422_SP_10B",
    "YCrCb_422_10b_SP": "YCrCb_422_SP_10B", "YCrCbr_420_SP": "YCrCb_420_SP", "YCrCbr_422_SP": "YCrCb_422_SP",
}  # fmt: skip
"""Other spellings in headers and in the developer guide."""

BY_CODE: Final = {f.code: f for f in FORMATS.values()}


def rk_format(name: str) -> RkFormat | None:
    """The format of a name with or without `RK_FORMAT_`; None for no name of librga's."""
    bare = name.removeprefix("RK_FORMAT_")
    return FORMATS.get(ALIASES.get(bare, bare))


def format_of_number(number: int) -> RkFormat | None:
    """The format of a number as logs print it. librga shifts 1 … 255 left by eight itself (legacy numbers)."""
    return BY_CODE.get(number >> 8 if number > 0xFF else number)


def image_bytes(fmt: RkFormat, wstride: int, hstride: int) -> int:
    """Bytes of all planes of an image with rows of `wstride` pixels and planes of `hstride` rows.

    For 10-bit formats RGA takes wstride as bytes of the first plane. The second plane is taken to begin at
    wstride · hstride. Source: kernel driver rga_image_size_cal.
    """
    return -(-wstride * hstride * fmt.num // fmt.den)


def pitch_bytes(fmt: RkFormat, wstride: int) -> int:
    """Bytes of one row of the first plane."""
    return wstride if fmt.ten_bit else wstride * fmt.pitch_bits // 8


def row_step(fmt: RkFormat, byte_stride: int) -> int:
    """Pixels of which wstride has to be a multiple on a core whose rows begin at multiples of `byte_stride` bytes.

    lcm(bits of a pixel, 8 · byte_stride) / bits of a pixel, the first plane counting. Source: RGA developer guide,
    "Image Format Alignment Instructions"; 4 bytes on RGA2 and its variants, 16 on RGA3.
    """
    return lcm(fmt.pitch_bits, 8 * byte_stride) // fmt.pitch_bits


def ten_bit_row(width: int) -> int:
    """Bytes that a row of packed 10-bit luma takes at least."""
    return -(-width * 10 // 8)
