"""The stated prior in a form that can be enumerated: every tensor and picture size with a given number of elements.

Read from the prior file, with no code of the product.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from tests.bench.size_things import PRIORS, Tensor

SHAPES, FRAMES = PRIORS["shapes"], PRIORS["frames"]
IMAGES = ("square", "rect", "any")
EVERY = (*IMAGES, "feature", "sequence", "vector")
RUNTIMES = ("rknn", "rknn1", "mnn", "generic")


def norm(weights: dict[Any, float]) -> dict[Any, float]:
    kept = {key: weight for key, weight in weights.items() if key != "basis"}
    return {key: weight / sum(kept.values()) for key, weight in kept.items()}


def h_sum(low: int, high: int, step: int = 1) -> float:
    """Σ 1/n over the multiples of `step` from low to high."""
    first = -(-low // step) * step
    return float(np.sum(1.0 / np.arange(first, high + 1, step, dtype=np.float64)))


FAMILIES = norm(SHAPES["families"])
CHANNELS = {int(c): p for c, p in norm(SHAPES["channels"]).items()}
SQUARES = {int(s): p for s, p in norm(SHAPES["squares"]).items()}
MAPS = {int(c): p for c, p in norm(SHAPES["feature_channels"]).items()}
SIDES = SHAPES["feature_sides"]
RECTS: dict[tuple[int, int], float] = {}
for _h, _w, _weight in SHAPES["rects"]:
    for _size, _share in (((_h, _w), 1 - SHAPES["portrait"]), ((_w, _h), SHAPES["portrait"])):
        RECTS[_size] = RECTS.get(_size, 0.0) + _share * _weight / sum(row[2] for row in SHAPES["rects"])
USUAL: dict[tuple[int, int], float] = {}
for _w, _h, _weight in FRAMES["sizes"]:
    for _size, _share in (((_w, _h), 1 - FRAMES["portrait"]), ((_h, _w), FRAMES["portrait"])):
        USUAL[_size] = USUAL.get(_size, 0.0) + _share * _weight / sum(row[2] for row in FRAMES["sizes"])
ANY = (SHAPES["any_min"], SHAPES["any_max"])
ANY_SUM = h_sum(*ANY)
VECTOR_SUM = h_sum(1, SHAPES["vector_max"])
NONE_SUM = math.log(PRIORS["none"]["max"]) + 0.57721566
FREE = (FRAMES["any_min"], FRAMES["any_max"])
COUNTS = {name: fault["count"] + 1 for name, fault in PRIORS["faults"].items()}
BATCH = {int(n): w for n, w in PRIORS["batch"]["counts"].items()}
TAIL = PRIORS["batch"]["tail"] / (PRIORS["batch"]["tail"] + sum(BATCH.values()))
TAIL_SUM = sum(1 / n**2 for n in range(2, PRIORS["batch"]["tail_max"] + 1))
HALVES = PRIORS["pixel_formats"]["half_bytes"]


def _free_sum() -> float:
    """Σ 1/(w·h) over the free picture sizes: both sides within the limits and the aspect."""
    inverse = np.zeros(FREE[1] + 1)
    inverse[FREE[0] :] = 1.0 / np.arange(FREE[0], FREE[1] + 1)
    upto = np.cumsum(inverse)
    total = 0.0
    for w in range(FREE[0], FREE[1] + 1):
        low, high = max(FREE[0], -(-w // FRAMES["any_aspect"])), min(FREE[1], w * FRAMES["any_aspect"])
        total += (upto[high] - upto[low - 1]) / w
    return total


FREE_SUM = _free_sum()


def in_aspect(w: int, h: int) -> bool:
    return FREE[0] <= min(w, h) and max(w, h) <= min(FREE[1], FRAMES["any_aspect"] * min(w, h))


@cache
def rectangles(pixels: int, low: int, high: int) -> list[tuple[int, int]]:
    """(height, width) with so many pixels, both sides within the limits."""
    if pixels > high * high:
        return []
    widths = np.arange(low, min(high, pixels) + 1)
    fits = widths[pixels % widths == 0]
    return [(pixels // int(w), int(w)) for w in fits if low <= pixels // int(w) <= high]


@cache
def tensors(elements: int) -> list[tuple[Tensor, float]]:
    """Every tensor of the prior with so many elements, and its probability."""
    found: dict[Tensor, float] = {}

    def add(tensor: Tensor, p: float) -> None:
        found[tensor] = found.get(tensor, 0.0) + p

    for c, share in CHANNELS.items():
        if elements % c:
            continue
        pixels = elements // c
        side = math.isqrt(pixels)
        if side * side == pixels and side in SQUARES:
            add(Tensor("square", c, side, side, (side, side, c)), FAMILIES["square"] * share * SQUARES[side])
        for (h, w), p in RECTS.items():
            if h * w == pixels:
                add(Tensor("rect", c, h, w, (h, w, c)), FAMILIES["rect"] * share * p)
        for h, w in rectangles(pixels, *ANY):
            add(Tensor("any", c, h, w, (h, w, c)), FAMILIES["any"] * share / (h * w * ANY_SUM**2))
    for side in SIDES:
        if elements % (side * side) == 0 and elements // side // side in MAPS:
            c = elements // side // side
            add(Tensor("feature", c, side, side, (side, side, c)), FAMILIES["feature"] * MAPS[c] / len(SIDES))
    for t in SHAPES["sequence_t"]:
        for d in SHAPES["sequence_d"]:
            if t * d == elements:
                p = FAMILIES["sequence"] / len(SHAPES["sequence_t"]) / len(SHAPES["sequence_d"])
                add(Tensor("sequence", 0, 0, 0, (t, d)), p)
    if elements <= SHAPES["vector_max"]:
        add(Tensor("vector", 0, 0, 0, (elements,)), FAMILIES["vector"] / elements / VECTOR_SUM)
    return list(found.items())


class Bag:
    """Tensors with probabilities: their sum with and without four axes, and by their axes in any order."""

    def __init__(self, rows: list[tuple[Tensor, float]]) -> None:
        self.four = sum(p for tensor, p in rows if tensor.c)
        self.others = sum(p for tensor, p in rows if not tensor.c)
        self.by_axes: dict[tuple[int, ...], list[tuple[Tensor, float]]] = {}
        for tensor, p in rows:
            self.by_axes.setdefault(tuple(sorted(tensor.axes)), []).append((tensor, p))


@cache
def every(elements: int) -> Bag:
    return Bag(tensors(elements))


@cache
def images(elements: int, channels: int | None = None, even: bool = False) -> Bag:
    """Images, of all or so many channels, of even sides; probabilities among what passes."""
    found = [(t, p) for t, p in tensors(elements) if t.family in IMAGES and channels in (None, t.c)]
    if even:
        found = [(t, p) for t, p in found if t.h % 2 == t.w % 2 == 0]
    total = share_where(IMAGES, "even" if even else "all")
    return Bag([(t, p / total) for t, p in found])


@cache
def share_where(families: tuple[str, ...], test: str, step: int = 1) -> float:
    """P(a tensor of the families passes): `all`, `c` (channels not a multiple), `w` (width not one), `even` (RGB, both even)."""
    total = 0.0
    for family in families:
        if family == "feature":
            total += FAMILIES[family] * (1.0 if test == "all" else sum(p for c, p in MAPS.items() if c % step))
        elif family in ("sequence", "vector"):
            total += FAMILIES[family]
        else:
            sizes = {"square": {(s, s): p for s, p in SQUARES.items()}, "rect": RECTS}.get(family, {})
            if test == "all":
                part = 1.0
            elif test == "c":
                part = sum(p for c, p in CHANNELS.items() if c % step)
            elif test == "w":
                part = sum(p for (_, w), p in sizes.items() if w % step) if sizes else 1 - h_sum(*ANY, step) / ANY_SUM
            else:
                even = (
                    sum(p for (h, w), p in sizes.items() if h % 2 == w % 2 == 0)
                    if sizes
                    else (h_sum(*ANY, 2) / ANY_SUM) ** 2
                )
                part = even * CHANNELS[3]
            total += FAMILIES[family] * part
    return total
