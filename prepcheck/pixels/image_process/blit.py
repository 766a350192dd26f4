"""Colour conversion between interleaved formats, as planes in the order of the destination format.

Sources: measured on the MNN 3.6.1 wheel (x86-64) bit by bit; GRAY is (19·R + 38·G + 7·B) >> 6. The colour spaces of
uint8 destinations use OpenCV's 14- and 12-bit fixed-point coefficients as MNN has them.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]

ORDER: Final[dict[str, str]] = {"RGBA": "RGBA", "BGRA": "BGRA", "RGB": "RGB", "BGR": "BGR", "GRAY": "Y"}
"""Letters of the channels in memory."""

_YCRCB: Final = ((4899, 9617, 1868), (8192, -6860, -1332), (-2765, -5427, 8192))
_YUV: Final = ((4899, 9617, 1868), (-2412, -4734, 7146), (10076, -8438, -1638))
_XYZ: Final = ((1689, 1465, 739), (871, 2929, 296), (79, 488, 3892))


def source_planes(picture: Bytes, source_format: str) -> dict[str, Bytes]:
    """Planes [h, w] of an interleaved picture [h, w, channels] by letter (views)."""
    return {letter: picture[:, :, i] for i, letter in enumerate(ORDER[source_format])}


def dest_planes(planes: dict[str, Bytes], dest_format: str) -> list[Bytes]:
    """Planes [h, w] in the order of the destination's bytes. `planes` holds Y, or R, G, B and perhaps A."""
    if dest_format in ORDER:
        return [_letter(planes, letter) for letter in ORDER[dest_format]]
    r, g, b = (planes[x].astype(np.int32) for x in "RGB")
    if dest_format in ("HSV", "HSV_FULL"):
        return _hsv(r, g, b, 256 if dest_format == "HSV_FULL" else 180)
    if dest_format in ("BGR555", "BGR565"):
        word = (b >> 3) | ((g & ~7) << 2) | ((r & ~7) << 7)
        if dest_format == "BGR565":
            word = (b >> 3) | ((g & ~3) << 3) | ((r & ~7) << 8)
        return [_wrap(word), _wrap(word >> 8)]
    if dest_format == "XYZ":
        return [np.clip(_fixed(r, g, b, row, 12), 0, 255).astype(np.uint8) for row in _XYZ]
    rows = _YCRCB if dest_format == "YCrCb" else _YUV
    return [_wrap(_fixed(r, g, b, row, 14) + (128 if i else 0)) for i, row in enumerate(rows)]


def _letter(planes: dict[str, Bytes], letter: str) -> Bytes:
    if letter == "A":
        some = next(iter(planes.values()))
        return planes.get("A", np.broadcast_to(np.uint8(255), some.shape))
    if letter in planes:
        return planes[letter]
    if letter == "Y":
        total = 19 * planes["R"].astype(np.uint16)
        total += 38 * planes["G"].astype(np.uint16)
        total += 7 * planes["B"].astype(np.uint16)
        return (total >> 6).astype(np.uint8)
    return planes["Y"]  # grey into colour: the same byte three times


def _fixed(r: Ints, g: Ints, b: Ints, row: tuple[int, int, int], bits: int) -> Ints:
    """The weighted sum, rounded half up at `bits` fractional bits."""
    return (r * row[0] + g * row[1] + b * row[2] + (1 << (bits - 1))) >> bits


def _wrap(value: Ints) -> Bytes:
    """The low byte, as a C cast to unsigned char takes it."""
    return (value & 255).astype(np.uint8)


def _hsv(r: Ints, g: Ints, b: Ints, full_circle: int) -> list[Bytes]:
    high, low = np.maximum(np.maximum(r, g), b), np.minimum(np.minimum(r, g), b)
    diff = high - low
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = np.float32(1) / high.astype(np.float32)
        scaled = (diff * (255 << 12)).astype(np.float32) * inverse
        slope = (np.float32(full_circle << 12) / (np.float32(6) * diff.astype(np.float32))).astype(np.float64) + 0.5
    saturation = (np.where(high > 0, scaled, 0).astype(np.int32) + (1 << 11)) >> 12
    hue = np.where(high == r, g - b, np.where(high == g, b - r + 2 * diff, r - g + 4 * diff))
    hue = (hue * np.where(diff > 0, slope, 0).astype(np.int32) + (1 << 11)) >> 12
    hue = hue + np.where(hue < 0, full_circle, 0)
    return [np.clip(hue, 0, 255).astype(np.uint8), _wrap(saturation), _wrap(high)]
