"""What CV::ImageProcess is told: formats, mean and normal, filter, wrap, matrix, destination. No pixels, no numpy.

Source of the vocabularies: MNN/ImageProcess.hpp (ImageFormat, Filter, Wrap; the defaults of Config), MNN 3.6.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from prepcheck.core.layouts import Dims, dims_of, elements, round_up
from prepcheck.errors import UsageError

Matrix = tuple[float, float, float, float, float, float, float, float, float]
"""Row by row: x_src = m0·x + m1·y + m2, y_src = m3·x + m4·y + m5. Maps DESTINATION pixels to SOURCE pixels."""

IDENTITY: Final[Matrix] = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)

PIXEL_BYTES: Final[dict[str, int]] = {
    "RGBA": 4,
    "RGB": 3,
    "BGR": 3,
    "GRAY": 1,
    "BGRA": 4,
    "YCrCb": 3,
    "YUV": 3,
    "HSV": 3,
    "XYZ": 3,
    "BGR555": 2,
    "BGR565": 2,
    "HSV_FULL": 3,
}
"""Bytes that the blitter writes for one pixel of a format. Source: ImageProcess.hpp, ImageProcessUtils.cpp."""

YUV_SOURCES: Final = frozenset({"YUV_NV12", "YUV_NV21", "YUV_I420"})
"""4:2:0 formats, sources only."""

FORMATS: Final = frozenset(PIXEL_BYTES) | YUV_SOURCES
FILTERS: Final = ("nearest", "bilinear", "bicubic")
WRAPS: Final = ("CLAMP_TO_EDGE", "ZERO", "REPEAT")

_COLOR: Final = ("RGBA", "BGRA", "RGB", "BGR", "GRAY")
_EXTRA: Final = ("YCrCb", "YUV", "XYZ", "HSV", "HSV_FULL", "BGR555", "BGR565")
_NO_BLITTER: Final = frozenset({("RGB", "BGRA"), ("BGR", "RGBA")})

FLOAT_PAIRS: Final[frozenset[tuple[str, str]]] = (
    frozenset({(s, d) for s in _COLOR for d in _COLOR} | {(s, d) for s in YUV_SOURCES for d in _COLOR}) - _NO_BLITTER
)
"""Pairs that a float destination supports. Source: ImageProcessUtils::choose; measured on the MNN 3.6.1 wheel."""

UINT8_PAIRS: Final[frozenset[tuple[str, str]]] = FLOAT_PAIRS | {(s, d) for s in ("RGB", "BGR") for d in _EXTRA}
"""Pairs that a uint8 destination supports; the colour spaces beyond RGB exist only here."""

MAX_SIDE: Final = 1 << 15
"""Sides beyond this are refused: row positions stay far below 2^24, where float32 stops counting pixels."""

MAX_FLOAT32: Final = 3.4028234663852886e38
"""Largest float32; mean, normal and matrix are stored as such."""


def _one_of(what: str, value: str, allowed: frozenset[str] | tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"ImageProcess: {what} {value!r} is not one of {', '.join(sorted(allowed))}")


@dataclass(frozen=True, slots=True)
class ImageProcessConfig:
    """One ImageProcess::Config with its matrix and padding.

    mean, normal: four numbers in the order of the destination's channels; value = (pixel − mean)·normal, float
    destinations only. matrix: nine numbers, destination → source; None = none was set (identity). padding: byte put
    outside the source with wrap ZERO. Raises UsageError for names MNN does not have and numbers that are not finite.
    """

    source_format: str
    dest_format: str
    mean: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    normal: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    filter: str = "nearest"
    wrap: str = "CLAMP_TO_EDGE"
    padding: int = 0
    matrix: Matrix | None = None

    def __post_init__(self) -> None:
        _one_of("source format", self.source_format, FORMATS)
        _one_of("destination format", self.dest_format, FORMATS)
        _one_of("filter", self.filter, FILTERS)
        _one_of("wrap", self.wrap, WRAPS)
        if not 0 <= self.padding <= 255:
            raise UsageError(f"ImageProcess: padding is one byte, 0..255, not {self.padding}")
        for what, values, count in (("mean", self.mean, 4), ("normal", self.normal, 4), ("matrix", self.matrix, 9)):
            if values is not None and (len(values) != count or not all(abs(v) <= MAX_FLOAT32 for v in values)):
                raise UsageError(f"ImageProcess: {what} takes {count} numbers within float32, not {values}")


@dataclass(frozen=True, slots=True)
class Destination:
    """The tensor that convert() writes: `shape` in `layout` (NHWC, NCHW or NC4HW4 with its logical NCHW shape)."""

    shape: tuple[int, ...]
    layout: str
    dtype: str

    def __post_init__(self) -> None:
        if self.layout not in ("NHWC", "NCHW", "NC4HW4") or dims_of(self.layout, self.shape) is None:
            raise UsageError(
                f"ImageProcess: a destination is a 4-D tensor in NHWC, NCHW or NC4HW4, not {self.shape} in {self.layout}"
            )
        if min(self.shape) < 1 or max(self.shape) > MAX_SIDE:
            raise UsageError(f"ImageProcess: every axis of a destination is 1..{MAX_SIDE}, not {self.shape}")

    @property
    def dims(self) -> Dims:
        """N, C, H, W."""
        dims = dims_of(self.layout, self.shape)
        assert dims is not None  # __post_init__ has looked
        return dims

    @property
    def elements(self) -> int:
        """Elements in memory, the channel padding of NC4HW4 included."""
        return elements(self.layout, self.shape)


def source_nbytes(source_format: str, size: tuple[int, int], stride: int = 0) -> int:
    """Bytes from the start of the picture to the end of its last pixel that a whole-picture read touches.

    stride: bytes per row, 0 = packed. 4:2:0 formats: rows of Y, then ceil(h/2) rows of interleaved chroma (NV12, NV21)
    of 2·ceil(w/2) bytes, or with the given stride; I420 has its two chroma planes one after the other.
    """
    width, height = size
    if source_format in YUV_SOURCES:
        chroma = round_up(width, 2)
        rows = round_up(height, 2) // 2
        return (stride or width) * height + (stride or chroma) * (rows - 1) + chroma
    pixel = PIXEL_BYTES[source_format]
    return (stride or width * pixel) * (height - 1) + width * pixel
