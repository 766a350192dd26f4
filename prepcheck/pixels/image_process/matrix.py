"""The destination → source matrix: the one that equals OpenCV's resize, and what a given one does. No numpy.

MNN samples at M·(x, y, 1) without any shift between pixel centres. OpenCV's INTER_LINEAR puts the centre of a
destination pixel at (x + 0.5)·s − 0.5 in the source, with s = source/destination; the same positions in MNN are
setScale(s_x, s_y) and then postTranslate(0.5·s_x − 0.5, 0.5·s_y − 0.5). Measured on a photo, MNN 3.6.1 against
OpenCV: at most 1 step with this matrix, up to 123 with (src−1)/(dst−1), up to 189 with src/dst alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor
from struct import pack
from typing import Final, Literal

from prepcheck.pixels.image_process.config import IDENTITY, Matrix

Kind = Literal["none", "identity", "half_pixel", "top_left", "corners", "inverse", "flip", "other", "not_axis_aligned"]
"""none: no matrix was set · half_pixel: OpenCV's positions · top_left: scale src/dst without the half-pixel shift ·
corners: scale (src−1)/(dst−1) · inverse: scale dst/src · flip: a negative scale · other: crop, letterbox, …"""

TOLERANCE: Final = 0.02
"""Source pixels by which a matrix may miss a named one at the far corner: plans state rounded numbers."""


def scale_translate(sx: float, sy: float, tx: float = 0.0, ty: float = 0.0) -> Matrix:
    """The matrix that setScale(sx, sy) followed by postTranslate(tx, ty) makes."""
    return (sx, 0.0, tx, 0.0, sy, ty, 0.0, 0.0, 1.0)


def half_pixel_matrix(source: tuple[int, int], dest: tuple[int, int]) -> Matrix:
    """The matrix that makes MNN's bilinear resize from `source` to `dest` ([width, height]) equal OpenCV's."""
    return box_matrix(source, (0, 0, *dest))


def box_matrix(source: tuple[int, int], box: tuple[float, float, float, float]) -> Matrix:
    """The half-pixel matrix that puts the whole source into `box` (x, y, width, height of the destination).

    Letterbox: the box is where the picture lies, the rest is filled with wrap ZERO and the padding byte.
    x_src = (x − box_x + 0.5)·s − 0.5, so the translation is 0.5·s − 0.5 − s·box_x.
    """
    x, y, width, height = box
    sx, sy = source[0] / width, source[1] / height
    return scale_translate(sx, sy, 0.5 * sx - 0.5 - sx * x, 0.5 * sy - 0.5 - sy * y)


def is_axis_aligned(matrix: Matrix) -> bool:
    """Whether it only scales and translates (no rotation, skew or perspective)."""
    return matrix[1] == matrix[3] == matrix[6] == matrix[7] == 0.0 and matrix[8] == 1.0


def is_identity(matrix: Matrix | None) -> bool:
    """Whether MNN sees no transformation: no matrix was set, or it is the identity once rounded to float32."""
    return matrix is None or pack("<9f", *(v + 0.0 for v in matrix)) == pack("<9f", *IDENTITY)


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of an axis-aligned matrix: source position = scale·x + shift for x = 0 … dest − 1."""

    scale: float
    shift: float
    source: int
    dest: int

    @property
    def first(self) -> float:
        """Source position of the first destination pixel."""
        return self.shift

    @property
    def last(self) -> float:
        """Source position of the last destination pixel."""
        return self.scale * (self.dest - 1) + self.shift

    @property
    def overshoot(self) -> tuple[float, float]:
        """How far the samples leave the source before its first and behind its last pixel, in source pixels."""
        low, high = min(self.first, self.last), max(self.first, self.last)
        return (max(0.0, -low), max(0.0, high - (self.source - 1)))

    @property
    def box(self) -> tuple[float, float]:
        """Where the whole source would lie on this axis of the destination: position and length, half-pixel sense."""
        length = self.source / abs(self.scale)
        start = (-0.5 - self.shift) / self.scale + 0.5
        return (min(start, start + self.source / self.scale), length)

    def padded(self, rows: bool) -> tuple[int, int]:
        """Destination pixels that wrap ZERO fills before and behind the picture; about, within float32 rounding.

        Rows are dropped as soon as they leave the source. Columns are found through the inverse: the start of a row is
        rounded (a pixel less than half a step outside stays), its end is rounded down.
        """
        if self.scale == 0:
            out = not 0 <= self.shift <= self.source - 1
            return (self.dest, 0) if out else (0, 0)
        ends = sorted((edge - self.shift) / self.scale for edge in (0, self.source - 1))
        before = ends[0] if ends[0] > 0 else 0.0
        start = ceil(before - 1e-6) if rows else floor(before + 0.5)
        stop = min(self.dest, floor(min(ends[1], float(self.dest)) + 1e-6) + 1)
        start = min(start, self.dest)
        return (start, max(0, self.dest - max(stop, start)))

    def misses(self, scale: float, shift: float) -> float:
        """Largest distance to other positions on this axis, in source pixels."""
        return max(abs(self.first - shift), abs(self.last - (scale * (self.dest - 1) + shift)))


def axes(matrix: Matrix, source: tuple[int, int], dest: tuple[int, int]) -> tuple[Axis, Axis]:
    """The horizontal and the vertical axis of an axis-aligned matrix; sizes are [width, height]."""
    return (
        Axis(matrix[0], matrix[2], source[0], dest[0]),
        Axis(matrix[4], matrix[5], source[1], dest[1]),
    )


def kind_of(matrix: Matrix | None, source: tuple[int, int], dest: tuple[int, int]) -> Kind:
    """The name of what the matrix does; see `Kind`. Where sizes are equal, half_pixel and top_left are `identity`."""
    if matrix is None:
        return "none"
    if not is_axis_aligned(matrix):
        return "not_axis_aligned"
    if matrix == IDENTITY:
        return "identity"
    both = axes(matrix, source, dest)
    if min(a.scale for a in both) < 0:
        return "flip"
    if _all(both, lambda a: (a.source / a.dest, 0.5 * a.source / a.dest - 0.5)):
        return "half_pixel"
    if _all(both, lambda a: (a.source / a.dest, 0.0)):
        return "top_left"
    if _all(both, lambda a: ((a.source - 1) / max(1, a.dest - 1), 0.0)):
        return "corners"
    if source != dest and all(abs(a.scale - a.dest / a.source) <= 1e-3 * a.dest / a.source for a in both):
        return "inverse"
    return "other"


def _all(both: tuple[Axis, Axis], rule: Callable[[Axis], tuple[float, float]]) -> bool:
    return all(a.misses(*rule(a)) <= TOLERANCE for a in both)
