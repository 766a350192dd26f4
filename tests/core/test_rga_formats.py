"""The table of librga's pixel formats, written down a second time, and the byte arithmetic that rests on it.

Codes: RK_FORMAT_* of librga's rga.h divided by 256. Bits and chroma subsampling: the names themselves and the tables of
the RGA developer guide. Groups: the rows of the guide's "supported formats" tables, as chips.json names them.
"""

from __future__ import annotations

import dataclasses

import pytest

from prepcheck.core.rga_formats import (
    ALIASES,
    BY_CODE,
    FORMATS,
    RkFormat,
    format_of_number,
    image_bytes,
    pitch_bytes,
    rk_format,
    row_step,
    ten_bit_row,
)

# name, code, group, kind, bits of a pixel of the first plane, bytes of all planes over pixels, subsampling, planes, colour
TABLE = """
RGBA_8888        00 rgba32     rgb  32 4/1 1x1 1 RGBA
RGBX_8888        01 rgbx32     rgb  32 4/1 1x1 1 RGBA
RGB_888          02 rgb888     rgb  24 3/1 1x1 1 RGB
BGRA_8888        03 rgba32     rgb  32 4/1 1x1 1 BGRA
RGB_565          04 rgb565     rgb  16 2/1 1x1 1 -
RGBA_5551        05 rgba16     rgb  16 2/1 1x1 1 -
RGBA_4444        06 rgba16     rgb  16 2/1 1x1 1 -
BGR_888          07 rgb888     rgb  24 3/1 1x1 1 BGR
YCbCr_422_SP     08 yuv422sp   yuv   8 2/1 2x1 2 -
YCbCr_422_P      09 yuv422p    yuv   8 2/1 2x1 3 -
YCbCr_420_SP     0a yuv420sp   yuv   8 3/2 2x2 2 NV12
YCbCr_420_P      0b yuv420p    yuv   8 3/2 2x2 3 I420
YCrCb_422_SP     0c yuv422sp   yuv   8 2/1 2x1 2 -
YCrCb_422_P      0d yuv422p    yuv   8 2/1 2x1 3 -
YCrCb_420_SP     0e yuv420sp   yuv   8 3/2 2x2 2 NV21
YCrCb_420_P      0f yuv420p    yuv   8 3/2 2x2 3 -
Y4               14 y4         gray  8 1/2 1x1 1 -
YCbCr_400        15 y400       gray  8 1/1 1x1 1 GRAY
BGRX_8888        16 rgbx32     rgb  32 4/1 1x1 1 BGRA
YVYU_422         18 yuyv422    yuyv 16 2/1 2x1 1 -
YVYU_420         19 yuyv420    yuyv 16 3/2 2x2 1 -
VYUY_422         1a yuyv422    yuyv 16 2/1 2x1 1 -
VYUY_420         1b yuyv420    yuyv 16 3/2 2x2 1 -
YUYV_422         1c yuyv422    yuyv 16 2/1 2x1 1 YUYV
YUYV_420         1d yuyv420    yuyv 16 3/2 2x2 1 -
UYVY_422         1e yuyv422    yuyv 16 2/1 2x1 1 -
UYVY_420         1f yuyv420    yuyv 16 3/2 2x2 1 -
YCbCr_420_SP_10B 20 yuv420sp10 yuv  10 3/2 2x2 2 -
YCrCb_420_SP_10B 21 yuv420sp10 yuv  10 3/2 2x2 2 -
YCbCr_422_SP_10B 22 yuv422sp10 yuv  10 2/1 2x1 2 -
YCrCb_422_SP_10B 23 yuv422sp10 yuv  10 2/1 2x1 2 -
BGR_565          24 rgb565     rgb  16 2/1 1x1 1 -
BGRA_5551        25 rgba16     rgb  16 2/1 1x1 1 -
BGRA_4444        26 rgba16     rgb  16 2/1 1x1 1 -
ARGB_8888        28 argb32     rgb  32 4/1 1x1 1 -
XRGB_8888        29 xrgb32     rgb  32 4/1 1x1 1 -
ARGB_5551        2a argb16     rgb  16 2/1 1x1 1 -
ARGB_4444        2b argb16     rgb  16 2/1 1x1 1 -
ABGR_8888        2c argb32     rgb  32 4/1 1x1 1 -
XBGR_8888        2d xrgb32     rgb  32 4/1 1x1 1 -
ABGR_5551        2e argb16     rgb  16 2/1 1x1 1 -
ABGR_4444        2f argb16     rgb  16 2/1 1x1 1 -
A8               31 a8         other 8 1/1 1x1 1 -
YCbCr_444_SP     32 yuv444sp   yuv   8 3/1 1x1 2 -
YCrCb_444_SP     33 yuv444sp   yuv   8 3/1 1x1 2 -
Y8               34 y8         gray  8 1/1 1x1 1 -
"""


def expected() -> dict[str, dict[str, object]]:
    """The fields of every format, by name."""
    rows: dict[str, dict[str, object]] = {}
    for line in TABLE.strip().splitlines():
        name, code, group, kind, bits, size, sub, planes, color = line.split()
        num, den = map(int, size.split("/"))
        across, down = map(int, sub.split("x"))
        rows[name] = {
            "name": name, "code": int(code, 16), "group": group, "kind": kind, "pitch_bits": int(bits), "num": num, "den": den,
            "sub": (across, down), "planes": int(planes), "ten_bit": name.endswith("_10B"), "color": None if color == "-" else color,
        }  # fmt: skip
    return rows


def test_every_field_of_every_format() -> None:
    assert {name: dataclasses.asdict(f) for name, f in FORMATS.items()} == expected()


def test_a_format_is_found_by_its_code() -> None:
    assert {code: f.name for code, f in BY_CODE.items()} == {row["code"]: name for name, row in expected().items()}
    # 256 is the first number that is no legacy number: it is code 1; 255 and below are codes themselves
    assert format_of_number(0x100) is FORMATS["RGBX_8888"]
    assert format_of_number(0xFF) is None
    assert format_of_number(0x34) is format_of_number(0x3400) is FORMATS["Y8"]


def test_what_a_bare_format_is() -> None:
    """One plane of whole bytes, no subsampling, eight bits, no colour name, unless something else is said."""
    bare = RkFormat("X", 0, "g", "other", 8, 1)
    assert (bare.den, bare.sub, bare.planes, bare.ten_bit, bare.color) == (1, (1, 1), 1, False, None)


def test_channels_are_bytes_of_a_pixel_beside_each_other() -> None:
    four = {f"{order}_8888" for order in ("RGBA", "RGBX", "BGRA", "BGRX", "ARGB", "XRGB", "ABGR", "XBGR")}
    three, one = {"RGB_888", "BGR_888"}, {"YCbCr_400", "Y8"}
    found = {name: f.channels for name, f in FORMATS.items()}
    assert {n for n, c in found.items() if c == 4} == four
    assert {n for n, c in found.items() if c == 3} == three
    assert {n for n, c in found.items() if c == 1} == one
    assert {n for n, c in found.items() if c is None} == set(FORMATS) - four - three - one


def test_yuv_is_all_that_has_luma() -> None:
    """The names that begin with Y, U or V, gray ones too; A8 and the RGB formats are none."""
    assert {n for n, f in FORMATS.items() if f.is_yuv} == {n for n in FORMATS if n[0] in "YUV"}


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("YCbCr_420_SP_10b", "YCbCr_420_SP_10B"),
        ("YCrCb_420_SP_10b", "YCrCb_420_SP_10B"),
        ("YCbCr_422_10b_SP", "YCbCr_422_SP_10B"),
        ("YCrCb_422_10b_SP", "YCrCb_422_SP_10B"),
        ("YCrCbr_420_SP", "YCrCb_420_SP"),
        ("YCrCbr_422_SP", "YCrCb_422_SP"),
    ],
)
def test_other_spellings(spelling: str, name: str) -> None:
    assert rk_format(spelling) is rk_format("RK_FORMAT_" + spelling) is FORMATS[name]
    assert rk_format("RK_FORMAT_" + name) is FORMATS[name]
    assert len(ALIASES) == 6


def test_a_name_is_no_more_than_its_prefix_removed() -> None:
    assert rk_format("RK_FORMAT_") is None
    assert rk_format("RGB_888RK_FORMAT_") is None


@pytest.mark.parametrize(
    ("name", "wstride", "hstride", "size"),
    [
        ("RGB_888", 5, 3, 45),
        ("YCbCr_420_SP", 5, 3, 23),  # 22.5: a begun byte counts
        ("Y4", 5, 3, 8),  # 7.5
        ("YUYV_420", 6, 4, 36),
        ("YCbCr_444_SP", 5, 3, 45),
        ("YCbCr_420_SP_10B", 20, 2, 60),  # 20 bytes of luma a row, not pixels
    ],
)
def test_bytes_of_odd_images(name: str, wstride: int, hstride: int, size: int) -> None:
    assert image_bytes(FORMATS[name], wstride, hstride) == size


@pytest.mark.parametrize(
    ("name", "wstride", "size"),
    [
        ("RGB_888", 5, 15), ("RGBA_8888", 5, 20), ("RGB_565", 5, 10), ("YUYV_422", 6, 12), ("YCbCr_420_P", 6, 6),
        ("YCbCr_420_SP_10B", 80, 80),
    ],
)  # fmt: skip
def test_bytes_of_a_row(name: str, wstride: int, size: int) -> None:
    assert pitch_bytes(FORMATS[name], wstride) == size


@pytest.mark.parametrize(
    ("name", "stride", "step"),
    [
        ("RGB_888", 1, 1),
        ("RGB_888", 64, 64),  # 24 and 512 bits meet at 1536 = 64 pixels
        ("RGBA_8888", 16, 4),
        ("YCbCr_420_SP_10B", 4, 16),  # 10 and 32 bits meet at 160
        ("YCbCr_420_SP_10B", 1, 4),
    ],
)
def test_pixels_between_legal_rows(name: str, stride: int, step: int) -> None:
    assert row_step(FORMATS[name], stride) == step


@pytest.mark.parametrize(("width", "size"), [(4, 5), (1, 2), (3, 4), (8, 10), (5, 7), (3840, 4800)])
def test_ten_bit_rows_round_up(width: int, size: int) -> None:
    """Ten bits a pixel, packed: 8·size bits hold width pixels and 8·(size - 1) do not."""
    assert ten_bit_row(width) == size
    assert 8 * (size - 1) < 10 * width <= 8 * size
