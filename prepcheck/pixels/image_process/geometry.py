"""Which source positions MNN samples: float32 arithmetic of the matrix, tile by tile, row by row.

Measured on the MNN 3.6.1 wheel (x86-64), agreeing with its source (ImageProcessUtils::transformImage, Matrix_CV):
- a destination row is cut into tiles of 512 pixels; each tile starts at the exact product of the matrix and goes on by
  adding (x_end − x_start)/count in float32, so positions drift by rounding and start afresh at each tile;
- the row position is one float32 product and the same along the row;
- wrap ZERO cuts the tile at the places where the position leaves [0, side − 1], found through the inverse matrix:
  start = round(inverse(edge)), end = floor(inverse(edge)) + 1; what is outside is padding, without any blend.
All float32 operations below are single ones, in the order of the library: the results are equal to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prepcheck.pixels.image_process.config import IDENTITY, ImageProcessConfig
from prepcheck.pixels.image_process.matrix import is_identity
from prepcheck.pixels.image_process.refusal import Unsupported

TILE: Final = 512
"""Pixels of a row that are sampled at once. Measured: MNN 3.6.1 wheel (older sources: 256)."""

F32 = np.float32


@dataclass(frozen=True, slots=True)
class Tile:
    """A stretch of every destination row.

    start, count: its pixels in the row. skip, stop: the pixels of it that are sampled, [skip, stop); the rest is
    padding. x: float32 source positions of the sampled pixels before clamping. step: their distance.
    """

    start: int
    count: int
    skip: int
    stop: int
    x: NDArray[np.float32]
    step: np.float32


@dataclass(frozen=True, slots=True)
class Sampling:
    """Everything that is common to all formats: tiles and row positions.

    rows: float32 source row of each destination row before clamping. outside: rows that wrap ZERO leaves as padding.
    identity: MNN takes its copying path.
    """

    tiles: tuple[Tile, ...]
    rows: NDArray[np.float32]
    outside: NDArray[np.bool_]
    identity: bool


def sampling(config: ImageProcessConfig, source: tuple[int, int], dest: tuple[int, int]) -> Sampling:
    """Tiles and rows for a `dest` picture; sizes are [width, height], the matrix scales and translates only.

    Raises Unsupported where MNN would write outside its buffers (an inverse that misses the tile).
    """
    m = IDENTITY if config.matrix is None else config.matrix
    sx, tx, sy, ty = F32(m[0]), F32(m[2]), F32(m[4]), F32(m[5])
    zero = config.wrap == "ZERO"
    tiles = tuple(
        _tile(start, min(TILE, dest[0] - start), sx, tx, source[0], zero) for start in range(0, dest[0], TILE)
    )
    rows = _map(np.arange(dest[1], dtype=F32), sy, ty)
    outside = (rows < 0) | (rows > F32(source[1] - 1)) if zero else np.zeros(dest[1], np.bool_)
    same = is_identity(config.matrix) and source[0] >= dest[0] and source[1] >= dest[1]
    return Sampling(tiles, rows, outside, same)


def _map(value: NDArray[np.float32], scale: np.float32, shift: np.float32) -> NDArray[np.float32]:
    """scale·value + shift, product and sum rounded to float32 each."""
    return np.add(np.multiply(value, scale, dtype=F32), shift, dtype=F32)


def _tile(start: int, count: int, scale: np.float32, shift: np.float32, width: int, zero: bool) -> Tile:
    ends = _map(np.array([start, start + count], dtype=F32), scale, shift)
    step = F32(F32(ends[1] - ends[0]) / F32(count))
    skip, stop = _clip(ends, start, count, scale, shift, width) if zero else (0, count)
    first = _map(np.array([start + skip], dtype=F32), scale, shift)[0]
    x = np.full(max(0, stop - skip), step, dtype=F32)
    if x.size:
        x[0] = first
        np.add.accumulate(x, out=x, dtype=F32)
    return Tile(start, count, skip, stop, x, step)


def _clip(
    ends: NDArray[np.float32], start: int, count: int, scale: np.float32, shift: np.float32, width: int
) -> tuple[int, int]:
    """The pixels of a tile whose positions lie inside the source, as wrap ZERO finds them."""
    high = F32(width - 1)
    sides = [(-1 if e < 0 else 1 if e > high else 0) for e in ends]
    if sides[0] == sides[1] != 0:
        return count, count
    if scale == 0:
        raise Unsupported("wrap ZERO needs the inverse of the matrix, and a scale of 0 has none", "mnn:I22")
    with np.errstate(over="ignore"):
        back = F32(F32(1) / scale)
    if not np.isfinite(back):
        raise Unsupported(f"wrap ZERO needs the inverse of the matrix, and 1/{scale} is beyond float32", "mnn:I22")
    home = F32(-shift * back) if scale != 1 else F32(-shift)
    skip, stop = 0, count
    if sides[0]:
        skip = _round(_inverse(F32(0) if sides[0] < 0 else high, back, home)) - start
    if sides[1]:
        stop = floor(_inverse(F32(0) if sides[1] < 0 else high, back, home)) - start + 1
    stop = min(stop, count)
    skip = min(skip, stop)
    if skip < 0 or stop < 0:
        raise Unsupported(
            f"the inverse of the matrix is so inexact that MNN writes pixel {min(skip, stop)} of a row", "mnn:I22"
        )
    return skip, stop


def _inverse(value: np.float32, back: np.float32, home: np.float32) -> float:
    return float(F32(F32(value * back) + home))


def _round(value: float) -> int:
    """roundf: halves away from zero."""
    whole = int(value)
    return whole + (0 if abs(value - whole) < 0.5 else 1 if value > 0 else -1)


def nearest(position: NDArray[np.float32], side: int) -> NDArray[np.intp]:
    """Index of the pixel that NEAREST takes: roundf of the position clamped to [0, side − 1]."""
    clamped = np.clip(position, F32(0), F32(side - 1))
    whole = np.trunc(clamped)
    index: NDArray[np.intp] = whole.astype(np.intp)
    index += clamped - whole >= F32(0.5)
    return index
