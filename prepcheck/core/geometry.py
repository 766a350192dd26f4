"""Geometry of stretch, letterbox and crop: sizes, boxes, scales. Standard library only. Sizes are (width, height)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels: left, top, width, height."""

    x: int
    y: int
    w: int
    h: int


def letterbox_box(source: tuple[int, int], target: tuple[int, int], *, align: str = "center", step: int = 1) -> Box:
    """Where the scaled picture lies in `target`. The scaled size is rounded to the nearest pixel, then down to `step`.

    align: `center` (odd remainders go to the right and bottom) or `top_left`.
    """
    scale = min(target[0] / source[0], target[1] / source[1])
    w = min(target[0], max(step, round(source[0] * scale) // step * step))
    h = min(target[1], max(step, round(source[1] * scale) // step * step))
    if align == "top_left":
        return Box(0, 0, w, h)
    return Box((target[0] - w) // 2, (target[1] - h) // 2, w, h)


def distortion(source: tuple[int, int], target: tuple[int, int]) -> float:
    """How much a stretch changes the aspect ratio: target's (w/h) over source's, as a factor ≥ 1."""
    ratio = (target[0] / target[1]) / (source[0] / source[1])
    return max(ratio, 1 / ratio)
