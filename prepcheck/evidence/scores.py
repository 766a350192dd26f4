"""Which output codes stand behind printed scores: zero point, scale, the softmax inverse, and whether they are pinned.

A softmax only tells differences of values; with a quantised output there are few codes, so the pairs that print the same
digits can be listed. Standard library only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from prepcheck.core.dtypes import integer_range
from prepcheck.records import dataclass

RAIL = 6
"""Codes from an end of the type that count as pinned there."""


@dataclass(frozen=True, slots=True)
class Codes:
    """What printed scores of a two-class softmax say of its codes.

    pairs: how many code pairs print these digits, of `possible`. low_from..low_to: codes of the smaller score;
    high_from..high_to: codes of the larger. difference: value difference that the scores stand for.
    """

    pairs: int
    possible: int
    low_from: int
    low_to: int
    high_from: int
    high_to: int
    difference: float
    dtype: str

    @property
    def pinned(self) -> bool:
        """Whether every possible pair lies at both ends of the type."""
        low, high = integer_range(self.dtype) or (0, 0)
        return self.high_from >= high - RAIL and self.low_to <= low + RAIL


def two_classes(larger: float, smaller: float, dtype: str, scale: float, digits: int = 4) -> Codes | None:
    """The code pairs whose softmax prints `larger` and `smaller`; None where no pair does, or for floats.

    scale: of the output. The zero point cancels out in the difference of two codes. digits: decimals printed.
    """
    limits = integer_range(dtype)
    if limits is None or scale <= 0 or limits[1] - limits[0] > 65535:
        return None
    half = 0.5 * 10.0**-digits
    low, high = limits
    span = high - low
    fits = []
    for gap in range(span + 1):
        p = 1.0 / (1.0 + math.exp(-gap * scale)) if gap * scale < 700 else 1.0
        if abs(p - larger) <= half + 1e-12 and abs(1.0 - p - smaller) <= half + 1e-12:
            fits.append(gap)
    if not fits:
        return None
    pairs = sum(span - gap + 1 for gap in fits)
    least = min(fits)
    return Codes(
        pairs=pairs,
        possible=(span + 1) ** 2,
        low_from=low,
        low_to=high - least,
        high_from=low + least,
        high_to=high,
        difference=least * scale,
        dtype=dtype,
    )


def entropy_bits(answers: Sequence[Sequence[float]]) -> float:
    """Shannon entropy of the mean answer, in bits: how much one answer of this model usually tells.

    A binary classifier that is right repeats itself; equal answers of it weigh little.
    """
    if not answers:
        return 0.0
    width = max(len(a) for a in answers)
    mean = [sum(a[i] for a in answers if i < len(a)) / len(answers) for i in range(width)]
    total = sum(mean)
    if total <= 0:
        return 0.0
    return -sum(m / total * math.log2(m / total) for m in mean if m > 0)


def same(a: Sequence[float], b: Sequence[float], tolerance: float = 0.0) -> bool:
    """Whether two answers are equal, number by number, within a tolerance."""
    return len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b, strict=True))
