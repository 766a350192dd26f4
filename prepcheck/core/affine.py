"""Affine and dynamic-fixed-point quantisation with the runtime's rounding. Standard library only (scalars).

value = (code − zero_point) · scale;   dynamic fixed point: value = code · 2^−fl.
"""

from __future__ import annotations

from prepcheck.core.dtypes import integer_range


def value_range(dtype: str, scale: float, zero_point: int) -> tuple[float, float] | None:
    """Smallest and largest value that codes of `dtype` hold: (qmin − zp)·scale … (qmax − zp)·scale. None for floats."""
    limits = integer_range(dtype)
    if limits is None:
        return None
    return ((limits[0] - zero_point) * scale, (limits[1] - zero_point) * scale)


def dfp_range(dtype: str, fl: int) -> tuple[float, float] | None:
    """Smallest and largest value of a dynamic-fixed-point type: code · 2^−fl."""
    return value_range(dtype, 2.0**-fl, 0)


def round_half_even(value: float) -> int:
    """rint: ties go to the even neighbour, as C's rint and numpy's do."""
    return round(value)


def quantize(value: float, dtype: str, scale: float, zero_point: int) -> int:
    """The textbook code: rint(value/scale) + zero_point, clamped to the type."""
    low, high = integer_range(dtype) or (0, 0)
    return min(high, max(low, round_half_even(value / scale) + zero_point))


def pixel_code(pixel: float, dtype: str, scale: float, zero_point: int, mean: float = 0.0, std: float = 1.0) -> int:
    """The code that the RKNN runtime makes of a uint8 pixel: step and offset are rounded separately.

    step = 1/(std·scale), offset = rint(zp − mean·step), q = clamp(rint(pixel·step) + offset).
    Source: measured on the float path of librknnrt 1.5.2: exact for 7 of 9 models, ±1 for the others; against the
    textbook formula up to half of the codes differ, by 1 at most.
    """
    low, high = integer_range(dtype) or (0, 0)
    step = 1.0 / (std * scale)
    return min(high, max(low, round_half_even(pixel * step) + round_half_even(zero_point - mean * step)))


def pixel_range(dtype: str, scale: float, zero_point: int, mean: float, std: float) -> tuple[float, float] | None:
    """The pixel values of one channel that the codes can hold: mean + std·(value range). None for floats."""
    values = value_range(dtype, scale, zero_point)
    if values is None:
        return None
    ends = (mean + std * values[0], mean + std * values[1])
    return (min(ends), max(ends))
