"""The last word on an explanation: every element of the buffer against the elements that it predicts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prepcheck.forensics.colour import mixed_picture
from prepcheck.forensics.fit import Fit, rgb_order
from prepcheck.forensics.model import BufferSpec, Difference, Elements, Floats, Pixels
from prepcheck.forensics.values import ValueMap

_CHUNK = 48  # rows at a time: keeps the working memory at a few per cent of the buffer
_CAP = 64.0
_VARIED = 1e-3  # variance in squared pixel steps


@dataclass(frozen=True, slots=True)
class Verified:
    """share: elements inside the envelope; rms: capped at 64 pixel steps; rows: share by channel and row, C x H.

    fitness: 1 − residual / variance of the elements found (by channel, the least). counted: elements compared. bias: mean signed distance by channel, in pixel steps. varied: whether the elements predicted
    are not all (nearly) equal: what is constant tells nothing of place.
    """

    share: float
    rms: float
    difference: Difference
    rows: Floats
    counted: int
    fitness: float
    bias: tuple[float, ...]
    varied: bool = True

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
    out: Pixels = pixels.copy()
    out[..., at] = mixed_picture(np.ascontiguousarray(pixels[..., at]), fit.mix)
    return out


@dataclass(slots=True)
class _Sums:
    """Running sums over the elements of one channel."""

    squares: float = 0.0
    total: float = 0.0
    worst: float = 0.0
    signed: float = 0.0


def compare(found: Elements, pixels: Pixels, fit: Fit, known: tuple[int, ...], columns: int | None = None) -> Verified:
    """found: H x W x C elements; pixels: the reference after any mix; known: rows of each channel; columns: leading
    columns to count (None: all)."""
    height, width, channels = found.shape
    width = columns or width
    rows = np.zeros((channels, height), np.float32)
    sums, fitness, most = [], 1.0, 0.0
    for c in range(channels):
        n, row = known[c], fit.order[c] if fit.after else c
        here, x = found[:n, :width, c], pixels[:n, :width, fit.order[c]]
        count = _counted if found.dtype.itemsize == 1 else _measured
        sums.append(count(here, x, fit.values, row, rows[c]))
        if n:
            some = here[:: max(1, n // 64)].astype(np.float32) / fit.values.slope[row]
            variance = float(np.nan_to_num(np.clip(some, -1e4, 1e4)).var())
            most = max(most, float((fit.values.table[row][x[:: max(1, n // 64)]] / fit.values.slope[row]).var()))
            fitness = min(fitness, 1 - sums[c].squares / (n * width) / max(1e-9, variance))
    count_all = sum(known) * width
    if not count_all:
        return Verified(0.0, _CAP, Difference(255.0, 255.0, 0.0), rows, 0, 0.0, (0.0,) * channels, False)
    share = float(sum(rows[c, : known[c]].sum() for c in range(channels)) / sum(known))
    rms = float(np.sqrt(sum(s.squares for s in sums) / count_all))
    mean = sum(s.total for s in sums) / count_all
    difference = Difference(round(max(s.worst for s in sums), 3), round(mean, 4), round(decibel(rms), 2))
    bias = tuple(s.signed / max(1, known[c] * width) for c, s in enumerate(sums))
    return Verified(share, rms, difference, rows, count_all, fitness, bias, most > _VARIED)


def _counted(here: Elements, x: Pixels, values: ValueMap, row: int, rows: Floats) -> _Sums:
    """Elements of one byte: the joint histogram of reference and element holds all but the place."""
    out = _Sums()
    if not here.size:
        return out
    low = -128 if here.dtype == np.int8 else 0
    codes = np.arange(low, low + 256, dtype=np.float32)
    good = (codes >= values.low[row][:, None]) & (codes <= values.high[row][:, None])
    away = (codes - values.table[row][:, None]) / float(values.slope[row])
    if low:
        good, away = np.roll(good, 128, axis=1), np.roll(away, 128, axis=1)
    good, away = good.ravel(), away.ravel()
    counts = np.zeros(1 << 16, np.int64)
    for top in range(0, here.shape[0], _CHUNK * 4):
        part = here[top : top + _CHUNK * 4]
        index = (x[top : top + _CHUNK * 4].astype(np.uint16) << 8) | part.astype(np.uint8)
        counts += np.bincount(index.ravel(), minlength=1 << 16)
        rows[top : top + len(part)] = good[index].mean(axis=1)
    size = np.abs(away)
    out.worst = float(min(255.0, size[counts > 0].max()))
    out.total = float((np.minimum(size, 255) * counts).sum())
    out.squares = float((np.minimum(size, _CAP) ** 2 * counts).sum())
    out.signed = float((np.clip(away, -_CAP, _CAP) * counts).sum())
    return out


def _measured(here: Elements, x: Pixels, values: ValueMap, row: int, rows: Floats) -> _Sums:
    """Wider elements, some rows at a time."""
    out = _Sums()
    table, low, high, slope = values.table[row], values.low[row], values.high[row], float(values.slope[row])
    for top in range(0, here.shape[0], _CHUNK):
        part = here[top : top + _CHUNK].astype(np.float32)
        index = x[top : top + _CHUNK]
        rows[top : top + len(part)] = ((part >= low[index]) & (part <= high[index])).mean(axis=1)
        away = (part - table[index]) / slope
        away = np.nan_to_num(away, copy=False, nan=255.0, posinf=255.0, neginf=-255.0)
        np.clip(away, -255, 255, out=away)
        out.signed += float(away.sum())
        np.abs(away, out=away)
        out.worst = max(out.worst, float(away.max()))
        out.total += float(away.sum())
        np.minimum(away, _CAP, out=away)
        out.squares += float(np.vdot(away, away))
    return out
