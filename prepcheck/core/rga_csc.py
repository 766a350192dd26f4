"""RGA's colour-space modes: which way a conversion goes, what a mode's name says, what no mode means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from prepcheck.core.rga_formats import RkFormat

Conversion = Literal["YUV_TO_RGB", "RGB_TO_YUV", "none"]

DEFAULT: Final = "BT601_LIMIT"
"""Both directions, where no mode is set. Source: librga 1.10.5; editions of the FAQ (Q2.13) for older libraries say
RGB→YUV BT.601 full, YUV→RGB BT.709 limited."""
DEFAULT_SINCE: Final = (1, 10)
"""Versions of librga whose source says so (1.10.1 … 1.10.5); for older ones the default is not known."""

_MODE = re.compile(r"(YUV_TO_RGB|RGB_TO_YUV)_(BT601|BT709)_(LIMIT|FULL)(?:_RANGE)?\Z")


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode: the direction it is for, and the matrix with its range (`BT709_LIMIT`)."""

    direction: Conversion
    space: str


def mode_of(name: str) -> Mode | None:
    """The mode of im2d's name without IM_; None for any other name."""
    found = _MODE.match(name)
    if found is None:
        return None
    direction: Conversion = "YUV_TO_RGB" if found[1] == "YUV_TO_RGB" else "RGB_TO_YUV"
    return Mode(direction, f"{found[2]}_{found[3]}")


def conversion(source: RkFormat, dest: RkFormat) -> Conversion:
    """Which way the colour space changes between two formats. Gray counts as YUV, as in librga."""
    if source.is_yuv and dest.kind == "rgb":
        return "YUV_TO_RGB"
    if source.kind == "rgb" and dest.is_yuv:
        return "RGB_TO_YUV"
    return "none"


def parts(space: str) -> tuple[str, str]:
    """`BT709_LIMIT` → ("BT.709", "limited")."""
    matrix, _, extent = space.partition("_")
    return (f"BT.{matrix[2:]}", "limited" if extent == "LIMIT" else "full")


def gray_of(luma: int, extent: str) -> int:
    """The gray value 0..255 that a luma code becomes: full as it is; limited (Y − 16) · 255 / 219, clipped."""
    value = float(luma) if extent == "full" else (luma - 16) * 255 / 219
    return min(255, max(0, round(value)))
