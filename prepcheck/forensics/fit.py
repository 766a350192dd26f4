"""Which value map, channel order and colour mix turn reference pixels into the elements found, on a sample of points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.dtypes import is_float
from prepcheck.forensics.colour import MIXES, Mix, mixed
from prepcheck.forensics.model import BufferSpec, Fault, Floats
from prepcheck.forensics.values import ValueMap, build, hypotheses

CAP = 16.0
"""Pixel steps beyond which an element counts as foreign: outliers weigh no more."""
TIGHT = 0.02  # cost of an explanation that leaves rounding only
_FIRST = 192  # points of the first look
_KEEP = 6
_SWAP: Final = {1: (0,), 3: (2, 1, 0), 4: (2, 1, 0, 3)}


@dataclass(frozen=True, slots=True)
class Fit:
    """order: for each channel found, the reference channel that it holds; after: swapped after the value map, so that
    the map of the reference channel holds. cost: mean capped distance / CAP; share: elements inside the envelope."""

    values: ValueMap
    order: tuple[int, ...]
    after: bool = False
    mix: Mix | None = None
    cost: float = 1.0
    share: float = 0.0

    @property
    def swapped(self) -> bool:
        """Whether red and blue are exchanged."""
        return self.order != tuple(range(len(self.order)))

    @property
    def complexity(self) -> int:
        """Number of faults."""
        return len(self.values.faults) + int(self.swapped) + int(self.mix is not None)


def rgb_order(spec: BufferSpec) -> tuple[int, int, int]:
    """Where R, G and B are in a pixel of the expected colour order."""
    return (2, 1, 0) if spec.color.startswith("B") else (0, 1, 2)


def blended(reference: NDArray[np.generic], mix: Mix | None, spec: BufferSpec) -> NDArray[np.uint8]:
    """Reference pixels (…, C) after the colour mix, in the expected order."""
    if mix is None:
        return reference.astype(np.uint8, copy=False)
    at = list(rgb_order(spec))
    out = reference.astype(np.uint8)
    out[..., at] = mixed(reference[..., at], mix).astype(np.uint8)
    return out


def predicted(tables: Floats, reference: NDArray[np.uint8], order: tuple[int, ...], after: bool) -> Floats:
    """(M, N, C) elements that tables M x C x 256 make of reference N x C."""
    columns = [tables[:, order[c] if after else c][:, reference[:, order[c]]] for c in range(len(order))]
    return np.stack(columns, axis=2)


def search(
    found: Floats, reference: Floats, spec: BufferSpec, dtype: str, channels: tuple[int, ...], *, mixes: bool = True,
    most: int = 2,
) -> list[Fit]:  # fmt: skip
    """Fits of found to reference (both N x C), the best first. channels: those of `found` that are known. most: value
    faults at once."""
    maps = list(hypotheses(spec, dtype, most))
    pixels = np.clip(np.rint(reference), 0, 255).astype(np.uint8)
    first = slice(None, None, max(1, len(found) // _FIRST))
    fits = _ranked(found, pixels, maps, spec, channels, first, None)
    if is_float(dtype) and fits[0].cost > TIGHT:
        fitted = _affine(found, pixels, spec, dtype, channels)
        fits += _ranked(found, pixels, fitted, spec, channels, first, None) if fitted else []
    best = min(f.cost for f in fits)
    if mixes and spec.channels >= 3 and len(channels) >= 3 and best > 0.004 and _linear(found, pixels, channels):
        plain = [m for m in maps if len(m.faults) <= 1]
        for mix in MIXES:
            fits += _ranked(found, blended(pixels, mix, spec), plain, spec, channels, first, mix)
    return sorted(fits, key=lambda f: f.cost)


def best_of(
    fits: list[Fit], found: Floats, reference: Floats, spec: BufferSpec, channels: tuple[int, ...], most: int
) -> list[Fit]:
    """The simplest of the fits that tie with the best within a small margin, with their shares."""
    keep = [f for f in fits if f.cost <= fits[0].cost * 1.15 + 0.012]
    keep.sort(key=lambda f: (f.complexity, f.cost))
    pixels = np.clip(np.rint(reference), 0, 255).astype(np.uint8)
    out = []
    for f in keep[:most]:
        out.append(replace(f, share=inside(f.values, found, blended(pixels, f.mix, spec), f.order, f.after, channels)))
    return out


def _ranked(
    found: Floats, pixels: NDArray[np.uint8], maps: list[ValueMap], spec: BufferSpec, channels: tuple[int, ...],
    first: slice, mix: Mix | None,
) -> list[Fit]:  # fmt: skip
    tables = np.stack([m.table for m in maps])
    slopes = np.stack([m.slope for m in maps])
    orders: list[tuple[tuple[int, ...], bool]] = [(tuple(range(spec.channels)), False)]
    if (spec.channels >= 3 and mix is None) or (mix is not None and mix.gray is None):
        orders.append((_SWAP[spec.channels], False))
        if any(not np.array_equal(m.table[0], m.table[-1]) for m in maps[:1]):
            orders.append((_SWAP[spec.channels], True))
    out = []
    for order, after in orders:
        rough = _cost(tables, slopes, found[first], pixels[first], order, after, channels)
        keep = np.argsort(rough, kind="stable")[:_KEEP]
        keep = keep[rough[keep] <= rough[keep[0]] * 1.5 + 0.05]
        costs = _cost(tables[keep], slopes[keep], found, pixels, order, after, channels)
        out += [Fit(maps[i], order, after, mix, float(cost)) for i, cost in zip(keep, costs, strict=True)]
    return out


def _cost(
    tables: Floats, slopes: Floats, found: Floats, pixels: NDArray[np.uint8], order: tuple[int, ...], after: bool,
    channels: tuple[int, ...],
) -> Floats:  # fmt: skip
    total = np.zeros(len(tables), np.float32)
    for c in channels:
        row = order[c] if after else c
        made = tables[:, row][:, pixels[:, order[c]]]
        distance = np.abs(made - found[:, c]) / slopes[:, row, None]
        total += np.minimum(distance, CAP).mean(axis=1)
    out: Floats = total / (CAP * len(channels))
    return out


def inside(
    values: ValueMap,
    found: Floats,
    pixels: NDArray[np.uint8],
    order: tuple[int, ...],
    after: bool,
    channels: tuple[int, ...],
) -> float:
    """Share of the elements inside the envelope of their map."""
    total = 0.0
    for c in channels:
        row = order[c] if after else c
        x = pixels[:, order[c]]
        total += float(((found[:, c] >= values.low[row, x]) & (found[:, c] <= values.high[row, x])).mean())
    return total / len(channels)


def _linear(found: Floats, pixels: NDArray[np.uint8], channels: tuple[int, ...]) -> bool:
    """Whether some linear mix of the reference colours follows the elements: worth trying named mixes."""
    x = np.concatenate([pixels[:, :3].astype(np.float64), np.ones((len(pixels), 1))], axis=1)
    y = found[:, list(channels[:3])].astype(np.float64)
    spreads = ((y - y.mean(axis=0)) ** 2).sum(axis=0)
    solution, *_ = np.linalg.lstsq(x, y, rcond=None)
    left = ((y - x @ solution) ** 2).sum(axis=0)
    telling = spreads > 0.02 * spreads.max()  # a channel that is (nearly) constant holds rounding only
    return not bool((left[telling] > 0.4 * spreads[telling]).any())


def affine(found: Floats, pixels: NDArray[np.uint8], channel: int, reference: int) -> tuple[float, float] | None:
    """(a, b) of found ≈ a·pixel + b by least squares without the worst tenth; None where the pixels are all equal."""
    x, y = pixels[:, reference].astype(np.float64), found[:, channel].astype(np.float64)
    keep = np.isfinite(y)
    for _ in range(3):
        if int(keep.sum()) < 8 or float(np.ptp(x[keep])) < 4:
            return None
        a, b = np.polyfit(x[keep], y[keep], 1)
        rest = np.abs(y - a * x - b)
        keep = rest <= np.quantile(rest[np.isfinite(rest)], 0.9)
    return float(a), float(b)


def _affine(
    found: Floats, pixels: NDArray[np.uint8], spec: BufferSpec, dtype: str, channels: tuple[int, ...]
) -> list[ValueMap]:
    """Fitted normalizations, where the host should not normalize: (x − mean)/std with plausible figures."""
    if spec.mean or spec.std or spec.scale is not None or len(channels) < spec.channels:
        return []
    out = []
    for order in {tuple(range(spec.channels)), _SWAP.get(spec.channels, (0,))}:
        pairs = [affine(found, pixels, c, order[c]) for c in range(spec.channels)]
        lines = [p for p in pairs if p is not None and abs(p[0]) > 1e-7]
        if len(lines) < spec.channels:
            continue
        a = np.array([p[0] for p in lines])
        b = np.array([p[1] for p in lines])
        mean, std = -b / a, 1 / a
        if (mean < -0.5).any() or (mean > 255.5).any() or (std < 4).any() or (std > 1000).any():
            continue
        if (np.abs(mean) < 0.25).all() and np.ptp(std) < 0.01 * std.mean():
            fault = Fault("scaled_0_1", {"by": round(float(std.mean()), 3)})
            mean, std = mean * 0, std * 0 + std.mean()
        else:
            fault = Fault(
                "normalized_on_host",
                {"mean": [round(float(m), 3) for m in mean], "std": [round(float(s), 3) for s in std]},
            )
        table = (np.arange(256.0)[None] - mean[:, None]) / std[:, None]
        out.append(build((fault,), table, 1 / std, dtype))
    return out


def measured(fit: Fit, found: Floats, pixels: NDArray[np.uint8], channels: tuple[int, ...]) -> Fit:
    """The same fit with its cost and share against other reference pixels (already mixed)."""
    cost = _cost(fit.values.table[None], fit.values.slope[None], found, pixels, fit.order, fit.after, channels)
    return replace(fit, cost=float(cost[0]), share=inside(fit.values, found, pixels, fit.order, fit.after, channels))
