"""Geometry of stretch, letterbox and crop: sizes, boxes, scales. Standard library only. Sizes are (width, height)."""

from __future__ import annotations

from prepcheck.records import dataclass


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


def side_size(source: tuple[int, int], *, shorter: int | None, longest: int | None) -> tuple[int, int]:
    """The size with the ratio kept whose shorter side is `shorter` (and the longer at most `longest`), or whose longer is
    `longest`. The other side is rounded down, at least 1 (as torchvision's and Hugging Face's resize do).
    """
    short, long = min(source), max(source)
    if shorter is None or (longest is not None and short and shorter * long > longest * short):
        new_long = longest or long
        new_short = max(1, new_long * short // long) if long else 1
    else:
        new_short = shorter
        new_long = max(1, shorter * long // short) if short else shorter
    return (new_short, new_long) if source[0] <= source[1] else (new_long, new_short)


def center_box(source: tuple[int, int], size: tuple[int, int]) -> Box:
    """The box of `size` in the middle of `source`; an odd remainder goes to the right and bottom. May lie outside."""
    return Box((source[0] - size[0]) // 2, (source[1] - size[1]) // 2, size[0], size[1])


def distortion(source: tuple[int, int], target: tuple[int, int]) -> float:
    """How much a stretch changes the aspect ratio: target's (w/h) over source's, as a factor ≥ 1."""
    ratio = (target[0] / target[1]) / (source[0] / source[1])
    return max(ratio, 1 / ratio)
