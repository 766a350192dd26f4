"""The last word on an explanation: every element of the buffer against the elements that it predicts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from prepcheck.forensics.colour import mixed_picture
from prepcheck.forensics.fit import Fit, rgb_order
from prepcheck.forensics.model import BufferSpec, Difference, Elements, Floats, Pixels

_CHUNK = 48  # rows at a time: keeps the working memory at a few per cent of the buffer
_CAP = 64.0


@dataclass(frozen=True, slots=True)
class Verified:
    """share: elements inside the envelope; rms: capped at 64 pixel steps; rows: share by channel and row, C x H.

    fitness: 1 − residual / variance of the elements found (by channel, the least). counted: elements compared. bias: mean signed distance by channel, in pixel steps.
    """

    share: float
    rms: float
    difference: Difference
    rows: Floats
    counted: int
    fitness: float
    bias: tuple[float, ...]

    @property
    def exact(self) -> bool:
        """Whether it leaves rounding only."""
        return self.share >= 0.995

    @property
    def psnr(self) -> float:
        """dB of the capped distances, 255 as peak."""
        return decibel(self.rms)


def decibel(rms: float) -> float:
    """PSNR of an rms distance in pixel steps."""
    return float("inf") if rms == 0 else 20 * float(np.log10(255 / rms))


def with_mix(pixels: Pixels, fit: Fit, spec: BufferSpec) -> Pixels:
    """The picture after the colour mix of the fit."""
    if fit.mix is None:
        return pixels
    at = list(rgb_order(spec))
    out = pixels.copy()
    out[..., at] = mixed_picture(np.ascontiguousarray(pixels[..., at]), fit.mix)
    return out


def compare(found: Elements, pixels: Pixels, fit: Fit, known: tuple[int, ...], columns: int | None = None) -> Verified:
    """found: H x W x C elements; pixels: the reference after any mix; known: rows of each channel; columns: leading
    columns to count (None: all)."""
    height, width, channels = found.shape
    width = columns or width
    rows = np.zeros((channels, height), np.float32)
    squares = total = worst = 0.0
    bias, fitness = [], 1.0
    for c in range(channels):
        source, row = fit.order[c], fit.order[c] if fit.after else c
        table, low, high = fit.values.table[row], fit.values.low[row], fit.values.high[row]
        slope = float(fit.values.slope[row])
        signed = part = 0.0
        for top in range(0, known[c], _CHUNK):
            stop = min(known[c], top + _CHUNK)
            here = found[top:stop, :width, c].astype(np.float32)
            x = pixels[top:stop, :width, source]
            good = (here >= low[x]) & (here <= high[x])
            rows[c, top:stop] = good.mean(axis=1)
            away = (here - table[x]) / slope
            away = np.nan_to_num(away, nan=255.0, posinf=255.0, neginf=-255.0)
            signed += float(np.clip(away, -_CAP, _CAP).sum())
            np.abs(away, out=away)
            worst = max(worst, float(away.max()))
            total += float(np.minimum(away, 255).sum())
            part += float((np.minimum(away, _CAP) ** 2).sum())
        squares += part
        if known[c]:
            some = found[: known[c] : max(1, known[c] // 64), :width, c].astype(np.float32) / slope
            variance = float(np.nan_to_num(np.clip(some, -1e4, 1e4)).var())
            fitness = min(fitness, 1 - part / max(1, known[c] * width) / max(1e-9, variance))
        bias.append(signed / max(1, known[c] * width))
    count = sum(known) * width
    if not count:
        return Verified(0.0, _CAP, Difference(255.0, 255.0, 0.0), rows, 0, 0.0, tuple(bias))
    share = float(sum(rows[c, : known[c]].sum() for c in range(channels)) / sum(known))
    rms = float(np.sqrt(squares / count))
    difference = Difference(round(min(worst, 255.0), 3), round(total / count, 4), round(decibel(rms), 2))
    return Verified(share, rms, difference, rows, count, fitness, tuple(bias))


def prefix(rows: NDArray[np.float32]) -> int:
    """How many leading rows agree while the rest does not: where the running sum of (share − 0.8) is greatest."""
    running = np.cumsum(rows - 0.8)
    return int(running.argmax()) + 1 if running.max() > 0 else 0
