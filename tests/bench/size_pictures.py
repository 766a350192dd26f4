"""Pictures of the stated prior by number of bytes: which sizes and pixel formats, with their probabilities."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from tests.bench.size_tables import FRAMES, FREE, FREE_SUM, HALVES, USUAL, in_aspect, norm, rectangles
from tests.bench.size_things import PRIORS, pitch_of


@cache
def picture_sizes(pixels: int) -> dict[tuple[int, int], float]:
    """(width, height) → P."""
    found = {size: (1 - FRAMES["any"]) * p for size, p in USUAL.items() if size[0] * size[1] == pixels}
    for h, w in rectangles(pixels, *FREE):
        if in_aspect(w, h):
            found[w, h] = found.get((w, h), 0.0) + FRAMES["any"] / (w * h * FREE_SUM)
    return found


def frames(given: int, width: int) -> list[tuple[tuple[Any, ...], float]]:
    found: dict[tuple[Any, ...], float] = {}
    for fmt, p in norm(PRIORS["pixel_formats"]["frame" if width == 1 else "frame_wide"]).items():
        half = HALVES[fmt]
        if 2 * given % half == 0:
            for size, q in picture_sizes(2 * given // half).items():
                key = (*(sorted(size) if size in USUAL else ()), half)
                found[key] = found.get(key, 0.0) + p * q
    return list(found.items())


def decoder_frames(given: int, width: int) -> list[tuple[tuple[Any, ...], float]]:
    found = []
    for fmt, p in norm(PRIORS["pixel_formats"]["frame" if width == 1 else "frame_wide"]).items():
        half = HALVES[fmt]
        for step, share in norm(PRIORS["height_align"]["align"]).items():
            changed = {size: q for size, q in USUAL.items() if size[1] % int(step)}
            for (w, h), q in changed.items():
                if w * -(-h // int(step)) * int(step) * half == 2 * given:
                    found.append(((*sorted((w, h)), half), (1 - FRAMES["any"]) * p * share * q / sum(changed.values())))
    return found


@cache
def picture_share(rule: str | None, step: int) -> float:
    """P(a picture that the pitch rule and the plane height step both change)."""
    usual = sum(
        p for (w, h), p in USUAL.items() if (rule is None or pitch_of(rule, w) != w) and (step == 1 or h % step)
    )
    sides = np.arange(FREE[0], FREE[1] + 1)
    wide = np.array([rule is None or pitch_of(rule, int(w)) != w for w in sides])
    high = np.ones(len(sides), bool) if step == 1 else sides % step != 0
    free = 0.0
    for w in sides[wide]:
        inside = high & (np.maximum(sides, w) <= FRAMES["any_aspect"] * np.minimum(sides, w))
        free += float(np.sum(1.0 / sides[inside])) / float(w)
    return (1 - FRAMES["any"]) * usual + FRAMES["any"] * free / FREE_SUM
