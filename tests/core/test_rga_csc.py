"""RGA's colour-space modes: names of im2d, directions between formats, grays of limited luma."""

from __future__ import annotations

from typing import get_args

import pytest

from prepcheck.core import rga_csc
from prepcheck.core.rga_csc import Conversion, Mode, conversion, gray_of, mode_of, parts
from prepcheck.core.rga_formats import FORMATS

# IM_COLOR_SPACE_MODE of im2d_type.h, without IM_
MODES = {
    "YUV_TO_RGB_BT601_LIMIT": Mode("YUV_TO_RGB", "BT601_LIMIT"),
    "YUV_TO_RGB_BT601_FULL": Mode("YUV_TO_RGB", "BT601_FULL"),
    "YUV_TO_RGB_BT709_LIMIT": Mode("YUV_TO_RGB", "BT709_LIMIT"),
    "YUV_TO_RGB_BT709_FULL": Mode("YUV_TO_RGB", "BT709_FULL"),
    "RGB_TO_YUV_BT601_FULL": Mode("RGB_TO_YUV", "BT601_FULL"),
    "RGB_TO_YUV_BT601_LIMIT": Mode("RGB_TO_YUV", "BT601_LIMIT"),
    "RGB_TO_YUV_BT709_FULL": Mode("RGB_TO_YUV", "BT709_FULL"),
    "RGB_TO_YUV_BT709_LIMIT": Mode("RGB_TO_YUV", "BT709_LIMIT"),
    "YUV_TO_RGB_BT709_LIMIT_RANGE": Mode("YUV_TO_RGB", "BT709_LIMIT"),
    "RGB_TO_YUV_BT601_FULL_RANGE": Mode("RGB_TO_YUV", "BT601_FULL"),
}


def test_modes_by_name() -> None:
    assert {name: mode_of(name) for name in MODES} == MODES
    others = ("COLOR_SPACE_DEFAULT", "YUV_TO_RGB_BT2020_LIMIT", "YUV_TO_RGB_BT601", "YUV_TO_RGB_BT601_LIMITED", "",
              "XYUV_TO_RGB_BT601_FULL", "YUV_TO_RGB_BT601_FULL\n")  # fmt: skip
    assert [mode_of(name) for name in others] == [None] * len(others)


def test_what_no_mode_means() -> None:
    """librga 1.10.1 … 1.10.5: BT.601 limited both ways."""
    assert (rga_csc.DEFAULT, rga_csc.DEFAULT_SINCE) == ("BT601_LIMIT", (1, 10))


def test_directions_between_formats() -> None:
    assert get_args(Conversion) == ("YUV_TO_RGB", "RGB_TO_YUV", "none")
    rgb = {"RGB_888", "BGRA_8888", "RGB_565"}
    yuv = {"YCbCr_420_SP", "YUYV_422", "YCbCr_400", "Y4"}
    for source in rgb | yuv | {"A8"}:
        for dest in rgb | yuv | {"A8"}:
            wanted = (
                "YUV_TO_RGB"
                if source in yuv and dest in rgb
                else "RGB_TO_YUV"
                if source in rgb and dest in yuv
                else "none"
            )
            assert conversion(FORMATS[source], FORMATS[dest]) == wanted, (source, dest)


def test_a_space_in_words() -> None:
    assert parts("BT601_LIMIT") == ("BT.601", "limited")
    assert parts("BT709_LIMIT") == ("BT.709", "limited")
    assert parts("BT601_FULL") == ("BT.601", "full")
    assert parts("BT709_FULL") == ("BT.709", "full")


@pytest.mark.parametrize(
    ("luma", "gray"), [(0, 0), (15, 0), (16, 0), (17, 1), (126, 128), (234, 254), (235, 255), (240, 255), (255, 255)]
)
def test_grays_of_limited_luma(luma: int, gray: int) -> None:
    """(Y − 16) · 255/219: 110 · 1.1644 = 128.08; black at 16, white at 235, clipped outside."""
    assert gray_of(luma, "limited") == gray


def test_grays_of_full_luma_are_the_luma() -> None:
    assert [gray_of(y, "full") for y in (0, 1, 16, 128, 235, 254, 255)] == [0, 1, 16, 128, 235, 254, 255]
    assert (gray_of(-3, "full"), gray_of(300, "full")) == (0, 255)
