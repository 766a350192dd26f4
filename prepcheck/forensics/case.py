"""One buffer against one expected hand-over: reference pixels of any pose, whole or on a grid of points, kept at hand."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.geometry import Box
from prepcheck.forensics.coarse import Bank, factor, references
from prepcheck.forensics.filters import FAMILY, axes_of, sample
from prepcheck.forensics.model import BufferSpec, Expected, Floats, Geometry, Pixels
from prepcheck.forensics.poses import EXCHANGING, Pose, full_box, moved, place, turned
from prepcheck.pixels.color import reorder

Index = NDArray[np.int64]
GRID = (40, 56)  # rows and columns of the sample
_KEPT = 3  # whole pictures kept


@dataclass(frozen=True, slots=True)
class GridPixels:
    """Reference pixels R x C x channels at some rows and columns, and which of them lie inside the picture's box."""

    pixels: Floats
    inside: NDArray[np.bool_]


def grid(height: int, width: int) -> tuple[Index, Index]:
    """Rows and columns of the sample: one at a fixed pseudo-random place of each of GRID equal parts."""
    rng = np.random.default_rng(7)
    out = []
    for length, parts in ((height, GRID[0]), (width, GRID[1])):
        n = min(length, parts)
        edges = np.linspace(0, length, n + 1)
        out.append(np.unique((edges[:-1] + rng.random(n) * np.diff(edges)).astype(np.int64)))
    return out[0], out[1]


def tail_start(buffer: Pixels, size: int) -> int:
    """Where the run of equal elements at the end of the buffer begins (in bytes); its length where there is none."""
    usable = len(buffer) // size * size
    if not usable:
        return len(buffer)
    items = buffer[:usable].reshape(-1, size)
    last = items[-1]
    step = 1 << 14
    for stop in range(len(items), 0, -step):
        part = items[max(0, stop - step) : stop]
        other = (part != last).any(axis=1)
        if other.any():
            first = max(0, stop - step) + int(np.flatnonzero(other)[-1]) + 1
            return first * size
    return 0


def untangled(turn: str, rows: Index, cols: Index, size: tuple[int, int]) -> tuple[Index, Index, bool]:
    """Where (rows, cols) of a turned picture lie in the unturned one of `size`; whether the axes change places."""
    h, w = size
    if turn in EXCHANGING:
        rows, cols = cols, rows
    if turn in ("flip_v", "rot180", "rot90", "anti"):
        rows = h - 1 - rows
    if turn in ("flip_h", "rot180", "rot270", "anti"):
        cols = w - 1 - cols
    return rows, cols, turn in EXCHANGING


class Case:
    """Expected hand-over and submitted bytes, with everything that is computed once."""

    def __init__(self, expected: Expected, spec: BufferSpec, buffer: Pixels) -> None:
        self.expected = expected
        self.spec = spec
        self.buffer = buffer
        self.base: Pixels = expected.pixels if expected.pixels.ndim == 3 else expected.pixels[0]
        self.frames: list[Pixels] = [self.base, *(p if p.ndim == 3 else p[0] for _, p in expected.previous)]
        self.names = tuple(name for name, _ in expected.previous)
        self.factor = factor(spec.size)
        self._whole: OrderedDict[Pose, Pixels] = OrderedDict()

    @cached_property
    def bank(self) -> dict[tuple[int, int], Bank]:
        """Reduced references of all poses."""
        return references(self.expected, self.spec)

    @cached_property
    def image(self) -> Pixels:
        """The source in the expected colour order."""
        return reorder(self.expected.image, self.expected.color, self.spec.color)

    @cached_property
    def tail(self) -> int:
        """Byte at which the run of equal elements at the end begins; the length where that run is under 2 %."""
        part = self.buffer[: self.spec.slot_bytes] if self.expected.spec.batch > 1 else self.buffer
        start, least = len(part), 0.02 * len(part)
        for _ in range(2):  # a fill, and the zeros that bring the whole to its length
            shorter = tail_start(part[:start], self.spec.itemsize)
            if start - shorter < least:
                break
            start = shorter
        return start if start < len(part) else len(self.buffer)

    @property
    def source(self) -> tuple[int, int]:
        """(height, width) of the source picture."""
        return (self.expected.image.shape[0], self.expected.image.shape[1])

    @property
    def source_box(self) -> Box:
        """The part of the source that the expected picture shows."""
        return self.spec.geometry.crop or Box(0, 0, self.expected.image.shape[1], self.expected.image.shape[0])

    @property
    def scaled(self) -> bool:
        """Whether the expected picture is a resize of the source at all."""
        box = full_box(self.spec)
        return (box.w, box.h) != (self.source_box.w, self.source_box.h)

    @cached_property
    def resizer(self) -> str:
        """Which resizer made the expected pixels of the source: the closest of those known."""
        if not self.scaled:
            return "opencv-bilinear"
        rows, cols = grid(*self.spec.size)
        best, least = "opencv-bilinear", np.inf
        for name in FAMILY:
            made = self.on_grid(Pose(resizer=name), rows, cols)
            away = np.abs(made.pixels - self.base[rows][:, cols])[made.inside]
            mean = float(away.mean()) if away.size else 0.0
            if mean < least - 1e-3:
                best, least = name, mean
            if mean < 0.35:
                break
        return best

    @staticmethod
    def _is_base(pose: Pose) -> bool:
        return pose.source > 0 or (pose.geometry is None and pose.turn_source == "none" and pose.resizer is None)

    def geometry_of(self, pose: Pose) -> Geometry:
        """The geometry that a pose has in the end."""
        return pose.geometry or self.spec.geometry

    def whole(self, pose: Pose) -> Pixels:
        """The reference picture of a pose."""
        if pose in self._whole:
            self._whole.move_to_end(pose)
            return self._whole[pose]
        made = moved(np.ascontiguousarray(turned(self._upright(pose), pose.turn)), pose.dx, pose.dy, pose.border)
        self._whole[pose] = made
        while len(self._whole) > _KEPT:
            self._whole.popitem(last=False)
        return made

    def _upright(self, pose: Pose) -> Pixels:
        if self._is_base(pose):
            return self.frames[pose.source]
        geometry, wanted = self.geometry_of(pose), full_box(self.spec)
        box = geometry.box or Box(0, 0, self.spec.size[1], self.spec.size[0])
        same_size = (box.w, box.h) == (wanted.w, wanted.h) and geometry.crop == self.spec.geometry.crop
        if pose.turn_source == "none" and pose.resizer is None and same_size:
            # The picture itself is the expected one: only its place or the bars differ.
            out = np.empty_like(self.base)
            out[:] = np.asarray(geometry.fill, np.uint8)
            out[box.y : box.y + box.h, box.x : box.x + box.w] = self.base[
                wanted.y : wanted.y + wanted.h, wanted.x : wanted.x + wanted.w
            ]
            return out
        lying = np.ascontiguousarray(turned(self.image, pose.turn_source))
        return place(lying, self.spec.size, geometry, pose.resizer or self.resizer)

    def on_grid(self, pose: Pose, rows: Index, cols: Index) -> GridPixels:
        """The reference of a pose at some rows and columns (of the turned picture), displaced with wrap-around."""
        size = self.spec.size
        height, width = (size[1], size[0]) if pose.turn in EXCHANGING else size
        rows, cols = (rows - pose.dy) % height, (cols - pose.dx) % width
        at_rows, at_cols, exchanged = untangled(pose.turn, rows, cols, size)
        geometry = self.geometry_of(pose)
        box = geometry.box or Box(0, 0, size[1], size[0])
        in_rows = (at_rows >= box.y) & (at_rows < box.y + box.h)
        in_cols = (at_cols >= box.x) & (at_cols < box.x + box.w)
        inside = in_rows[:, None] & in_cols
        if self._is_base(pose):
            pixels = self.frames[pose.source][at_rows][:, at_cols].astype(np.float32)
        else:
            lying = turned(self.image, pose.turn_source)
            crop = geometry.crop or Box(0, 0, lying.shape[1], lying.shape[0])
            y, x = np.clip(at_rows - box.y, 0, box.h - 1), np.clip(at_cols - box.x, 0, box.w - 1)
            pixels = sample(lying, axes_of(pose.resizer or self.resizer, crop, (box.h, box.w), y, x))
            pixels[~inside] = np.resize(np.asarray(geometry.fill, np.float32), pixels.shape[2])
        if exchanged:
            return GridPixels(np.swapaxes(pixels, 0, 1), inside.T)
        return GridPixels(pixels, inside)
