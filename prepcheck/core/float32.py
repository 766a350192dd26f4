"""Numbers that were stored as 32-bit floats. Standard library only."""

from __future__ import annotations

import math
import struct


def shortest(value: float) -> float:
    """The decimal number of fewest digits, six at least, that is the same 32-bit float as `value`.

    A file that stores 123.675 as float32 gives 123.67500305175781 back; this gives 123.675, which is what was typed, and
    which turns into the same bits again. Values outside float32, NaN and infinities come back unchanged.
    """
    if not math.isfinite(value):
        return value
    try:
        bits = struct.pack("<f", value)
    except OverflowError:
        return value
    for digits in range(6, 9):
        short = float(f"{value:.{digits}g}")
        try:
            if struct.pack("<f", short) == bits:
                return short
        except OverflowError:  # rounded up beyond the largest float32
            continue
    return float(f"{value:.9g}")  # nine digits always suffice for float32


def seven_digits(value: float) -> float:
    """The value at seven significant digits: all that a product of 32-bit floats is good for. 255·0.003921569 is 1.0."""
    return float(f"{value:.7g}")
