"""How far a wrong map of values moves an input: over the pixel values 0..255, without any picture. Standard library only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, log10

Table = Sequence[float]
"""The value that the network gets for each pixel value 0..255."""


@dataclass(frozen=True, slots=True)
class RampEffect:
    """psnr: dB over pixel steps with 255 as peak, None where the right map is not known, inf where both are the same.

    saturated, saturated_expected: share of the 256 pixel values beyond what the codes hold; None for inputs without codes.
    distinct, distinct_expected: different values (codes, where there are any) that the 256 pixel values of one channel
    become; of the channel with the fewest.
    """

    psnr: float | None
    saturated: float | None
    saturated_expected: float | None
    distinct: int
    distinct_expected: int | None


def ramp_effect(
    seen: Sequence[Table],
    right: Sequence[Table] | None,
    held: tuple[float, float] | None = None,
    step: float | None = None,
) -> RampEffect:
    """The effect of values `seen` in place of `right`: one table per channel, both of one length.

    held: lowest and highest value that the input's codes hold; step: distance of two codes. A channel whose right values
    are all the same has no pixel steps to measure by and is left out of the PSNR.
    """
    step = step if step else None
    known = right is not None and len(right) == len(seen)
    return RampEffect(
        psnr=_psnr(seen, right, held) if known and right is not None else None,
        saturated=_beyond(seen, held, step),
        saturated_expected=_beyond(right, held, step) if known and right is not None else None,
        distinct=min(_distinct(t, held, step) for t in seen),
        distinct_expected=min(_distinct(t, held, step) for t in right) if known and right is not None else None,
    )


def _psnr(seen: Sequence[Table], right: Sequence[Table], held: tuple[float, float] | None) -> float | None:
    squares, count = 0.0, 0
    for got, want in zip(seen, right, strict=True):
        slope = (want[-1] - want[0]) / (len(want) - 1)
        if slope == 0 or not isfinite(slope):
            continue
        for g, w in zip(got, want, strict=True):
            kept = g if held is None else min(max(g, held[0]), held[1])
            wanted = w if held is None else min(max(w, held[0]), held[1])
            squares += min(abs((kept - wanted) / slope), 1e6) ** 2
            count += 1
    if not count:
        return None
    error = squares / count
    return inf if error < 1e-9 else round(10 * log10(255.0**2 / error), 2)


def _beyond(tables: Sequence[Table], held: tuple[float, float] | None, step: float | None) -> float | None:
    if held is None:
        return None
    slack = (step or 0.0) / 2 + 1e-6 * max(1.0, abs(held[0]), abs(held[1]))
    values = [v for table in tables for v in table]
    return round(sum(v < held[0] - slack or v > held[1] + slack for v in values) / len(values), 5)


def _distinct(table: Table, held: tuple[float, float] | None, step: float | None) -> int:
    if held is None:
        return len({round(v, 9) for v in table})
    return len({round(min(max(v, held[0]), held[1]) / (step or 1e-9)) for v in table})
