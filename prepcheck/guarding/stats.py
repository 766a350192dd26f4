"""Rolling statistics of one input: extremes over every element, the rest over rotating sixteenths. numpy.

Cost for 640x640x3 uint8: about 0.15 ms a call that takes them (tests/bench/guard.py prints it). Nothing here grows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds
from prepcheck.guarding.content import check_range, unit_of
from prepcheck.guarding.finding import make

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from prepcheck.guarding.content import Domain
    from prepcheck.guarding.finding import GuardFinding, Value

PARTS = 16
"""Calls with statistics after which every element was in one of the rotating samples."""
_RATIO = {("pixels", "fraction"): "1/255", ("fraction", "pixels"): "255"}


def part_of(array: NDArray[np.generic], index: int) -> NDArray[np.generic]:
    """The `index`-th sixteenth of the elements: every 16th row where there are 16 rows, else every 16th element."""
    tail = 1
    for size in array.shape[-2:]:
        tail *= size
    if tail and array.ndim >= 3 and array.size // tail >= PARTS:
        return array.reshape(-1, tail)[index::PARTS]
    if array.ndim >= 3 and array.shape[-3] >= PARTS:
        return array[..., index::PARTS, :, :]
    return array.reshape(-1)[index::PARTS]


class RollingStats:
    """What was seen of one input. The caller holds a lock around `update`."""

    __slots__ = ("_first", "_outside", "_parts", "_pending", "calls", "high", "low", "now", "scale", "unit", "where")

    def __init__(self, where: str, scale: float | None) -> None:
        self.where = where
        self.scale = scale
        self.calls = 0
        self.low, self.high = float("inf"), float("-inf")
        self.now = (0.0, 0.0)
        self.unit: str | None = None
        self._first = (0.0, 0.0)
        self._pending: str | None = None
        self._parts = np.zeros(
            (PARTS, 3), np.float64
        )  # elements, sum, sum of squares of the last time this part was seen
        self._outside = np.zeros(PARTS, np.float64)

    def update(self, array: NDArray[np.generic], domain: Domain | None, codes: bool) -> GuardFinding | None:
        """Take the statistics of one array; the finding that they give, if any. codes: quantized, not real values."""
        low, high = float(array.min()), float(array.max())
        if not (low > float("-inf") and high < float("inf")):
            return make(kinds.NOT_FINITE, self.where, {"low": low, "high": high})
        index = self.calls % PARTS
        self.calls += 1
        self.low, self.high, self.now = min(self.low, low), max(self.high, high), (low, high)
        part: NDArray[np.float32] = part_of(array, index).astype(np.float32).ravel()
        # float32 sums of squares lose digits beyond 2^24 elements; a sixteenth of any input stays far below
        self._parts[index] = (part.size, part.sum(dtype=np.float64), float(np.dot(part, part)))
        if array.dtype.kind == "b" or codes:
            return None
        if domain is not None:
            found = check_range(low, high, part if array.dtype.kind == "f" else array, domain, self.where, self.scale)
            return found if found is not None else self._calibration(part, index, domain)
        return self._drift(low, high, part) if array.dtype.kind == "f" else None

    def _calibration(self, part: NDArray[np.float32], index: int, domain: Domain) -> GuardFinding | None:
        margin = 0.02 * (domain.true_high - domain.true_low)
        outside = np.count_nonzero(part > domain.true_high + margin) + np.count_nonzero(part < domain.true_low - margin)
        self._outside[index] = outside
        total = float(self._parts[:, 0].sum())
        if self.calls < PARTS or total == 0.0:
            return None
        share = float(self._outside.sum()) / total
        if share <= 0.6:
            return None
        return make(
            kinds.CALIBRATION,
            self.where,
            {
                "percent": round(100.0 * share, 1),
                "want_low": domain.true_low,
                "want_high": domain.true_high,
                "calls": PARTS,
            },
        )

    def _drift(self, low: float, high: float, part: NDArray[np.generic]) -> GuardFinding | None:
        """Whether the unit of the values changed: told twice in a row by the values themselves, never by brightness."""
        unit = unit_of(low, high, part)
        if unit is None:
            return None
        confirmed, self._pending = unit == self._pending, unit
        if not confirmed:
            return None
        if self.unit is None:
            self.unit, self._first = unit, (low, high)
        if unit == self.unit:
            return None
        first = max(abs(self._first[0]), abs(self._first[1])) or 1.0
        values: dict[str, Value] = {
            "now_low": low, "now_high": high, "first_low": self._first[0], "first_high": self._first[1],
            "ratio": round(max(abs(low), abs(high)) / first, 4),
            "near": _RATIO.get((self.unit, unit), "what mean and std make of pixels"),
        }  # fmt: skip
        return make(kinds.SCALE_DRIFT, self.where, values)

    def summary(self) -> dict[str, Value]:
        """The numbers so far; mean and std over the last pass of the rotating samples."""
        count, total, squares = (float(v) for v in self._parts.sum(axis=0))
        mean = total / count if count else 0.0
        return {
            "calls": self.calls,
            "min": self.low if self.calls else None,
            "max": self.high if self.calls else None,
            "mean": round(mean, 6) if count else None,
            "std": round(max(0.0, squares / count - mean * mean) ** 0.5, 6) if count else None,
            "covered": round(min(1.0, self.calls / PARTS), 4),
            "unit": self.unit,
        }
