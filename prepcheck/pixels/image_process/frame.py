"""Where an axis-aligned matrix puts the whole source picture in the destination, against a stretch and a letterbox. No numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prepcheck.core.geometry import Box, letterbox_box
from prepcheck.pixels.image_process.matrix import Axis

Fitting = Literal["whole", "stretch", "letterbox", "crop", "other"]
"""whole: the picture fills the destination and has its ratio. other: bars and another ratio, or partly outside."""

POSITION = 1.0
"""Destination pixels that two ways to write the same matrix differ by (with and without the half-pixel shift, corners)."""
ROUNDED = 2.5
"""Pixels by which programs differ in the scaled side of a letterbox: rounded, cut, or made even."""
RATIO = 1.02
"""Ratios of the two scales that differ by less come from rounding to whole pixels."""


@dataclass(frozen=True, slots=True)
class Frame:
    """x, y, width, height of the whole source in the destination, in its pixels; source and dest as [width, height]."""

    x: float
    y: float
    width: float
    height: float
    source: tuple[int, int]
    dest: tuple[int, int]

    @property
    def distortion(self) -> float:
        """How much the picture's ratio is changed, as a factor ≥ 1."""
        ratio = (self.width / self.source[0]) / (self.height / self.source[1])
        return max(ratio, 1 / ratio)

    @property
    def fitting(self) -> Fitting:
        """How the picture comes into the destination."""
        across = _covers(self.x, self.width, self.dest[0])
        down = _covers(self.y, self.height, self.dest[1])
        if across == down == "fills":
            return "stretch" if self.distortion > RATIO else "whole"
        if "outside" in (across, down):
            return "crop" if self.distortion <= RATIO and {across, down} <= {"outside", "fills"} else "other"
        return "letterbox" if self.distortion <= RATIO else "other"

    def letterbox(self, align: str) -> Box:
        """Where a letterbox puts the picture."""
        return letterbox_box(self.source, self.dest, align=align)

    def own_box(self, align: str) -> Box:
        """The picture in the size that the matrix gives it, at the place that a letterbox gives it.

        Programs round the scaled side up, down, or to an even number; the bars follow from it.
        """
        w, h = min(self.dest[0], round(self.width)), min(self.dest[1], round(self.height))
        if align == "top_left":
            return Box(0, 0, w, h)
        return Box((self.dest[0] - w) // 2, (self.dest[1] - h) // 2, w, h)

    def off(self, box: Box) -> tuple[float, float]:
        """How far the picture lies from where a box has it: right and down, in pixels."""
        return (self.x - box.x, self.y - box.y)

    def sized_as(self, box: Box) -> bool:
        """Whether the picture has the size of a box, within rounding."""
        return abs(self.width - box.w) <= ROUNDED and abs(self.height - box.h) <= ROUNDED


def _covers(start: float, length: float, side: int) -> str:
    """fills, inside (bars are left) or outside (a part is cut off), on one axis."""
    before, behind = start, side - (start + length)
    if min(before, behind) < -POSITION - 0.5:
        return "outside"
    return "fills" if max(before, behind) <= POSITION + 0.5 else "inside"


def frame_of(both: tuple[Axis, Axis]) -> Frame | None:
    """The frame of the two axes; None where a scale is 0 or negative."""
    if min(a.scale for a in both) <= 0:
        return None
    (x, width), (y, height) = both[0].box, both[1].box
    return Frame(x, y, width, height, (both[0].source, both[1].source), (both[0].dest, both[1].dest))


def inverse_scales(both: tuple[Axis, Axis]) -> bool:
    """Whether the scales are those of the map from source to destination: of a stretch, or of a letterbox.

    1 % of difference is rounding; a matrix that is its own inverse (scale 1) is none.
    """
    across, down = both
    stretch = (across.dest / across.source, down.dest / down.source)
    fit = min(stretch)
    for want in (stretch, (fit, fit)):
        near = all(abs(a.scale - w) <= 0.01 * w for a, w in zip(both, want, strict=True))
        if near and all(abs(w - 1) > 0.02 for w in want if w != 1) and any(abs(w - 1) > 0.02 for w in want):
            return True
    return False
