"""Reading the source: copy, NEAREST and BILINEAR for interleaved formats. Whole blocks of rows at a time.

Measured on the MNN 3.6.1 wheel (x86-64): 1 and 3 channels are mixed in float32 with one double product and rounded half
away from zero; 4 channels are mixed in float32 and truncated (SSE). ARM builds may differ in the last step.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from prepcheck.pixels.image_process.config import ImageProcessConfig
from prepcheck.pixels.image_process.geometry import F32, Sampling, Tile, nearest

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
Index = NDArray[np.intp]

_BLOCK: Final = 1 << 17
"""Elements mixed at once: what fits the cache beside its float copies."""


def sample(config: ImageProcessConfig, rows: Bytes, pixel: int, plan: Sampling, dest: tuple[int, int]) -> Bytes:
    """The picture before colour conversion: uint8 [dest height, dest width, pixel].

    rows: uint8 [source height, source width·pixel]; pixel: bytes a pixel.
    """
    width, height = dest
    if plan.identity:
        return rows[:height, : width * pixel].reshape(height, width, pixel)
    out = np.empty((height, width * pixel), np.uint8)
    for tile in plan.tiles:
        part = out[:, tile.start * pixel : (tile.start + tile.count) * pixel]
        if config.filter == "bilinear":
            _bilinear(rows, pixel, plan.rows, tile, part)
        else:
            _nearest(rows, pixel, plan.rows, tile, part)
        part[:, : tile.skip * pixel] = config.padding
        part[:, tile.stop * pixel :] = config.padding
    out[plan.outside] = config.padding
    return out.reshape(height, width, pixel)


def _columns(index: Index, pixel: int) -> Index:
    """Byte columns of pixel columns."""
    return (index[:, None] * pixel + np.arange(pixel)).reshape(-1)


def _nearest(rows: Bytes, pixel: int, y: Floats, tile: Tile, out: Bytes) -> None:
    height, width = rows.shape[0], rows.shape[1] // pixel
    at = nearest(y, height)
    place = slice(tile.skip * pixel, tile.stop * pixel)
    if pixel != 4:
        out[:, place] = rows[at][:, _columns(nearest(tile.x, width), pixel)]
        return
    quads = tile.x.size // 4 * 4
    columns = _columns4(tile, quads, width)
    out[:, place] = _gather4(rows, at, columns)
    at_quads = _half_up(y, height)
    odd = np.flatnonzero(at_quads != at)
    if quads and odd.size:
        out[odd, place.start : place.start + 4 * quads] = _gather4(rows, at_quads[odd], columns[:quads])


def _gather4(rows: Bytes, at: Index, columns: Index) -> Bytes:
    """Whole 4-byte pixels: one 32-bit element for each."""
    words = np.ascontiguousarray(rows[at]).view(np.uint32)
    return np.ascontiguousarray(words[:, columns]).view(np.uint8)


def _half_up(position: Floats, side: int) -> Index:
    """The vector path's rounding: float32 position + 0.5, truncated (0.49999997 becomes 1)."""
    clamped = np.clip(position, F32(0), F32(side - 1))
    index: Index = np.add(clamped, F32(0.5), dtype=F32).astype(np.intp)
    return index


def _columns4(tile: Tile, quads: int, width: int) -> Index:
    """Columns that 4-byte pixels take.

    Groups of four take start + k·step, the start going on by 4·step; the rest (fewer than four) goes on one by one.
    """
    if not tile.x.size:
        return np.empty(0, np.intp)
    starts = np.full(quads // 4 + 1, F32(F32(4) * tile.step), dtype=F32)
    starts[0] = tile.x[0]
    np.add.accumulate(starts, out=starts, dtype=F32)
    offsets = np.multiply(np.arange(4, dtype=F32), tile.step, dtype=F32)
    grouped = np.add.outer(starts[:-1], offsets).reshape(-1)
    rest = np.full(tile.x.size - quads, tile.step, dtype=F32)
    rest[:1] = starts[-1]
    np.add.accumulate(rest, out=rest, dtype=F32)
    return np.concatenate((_half_up(grouped, width), nearest(rest, width)))


def _bilinear(rows: Bytes, pixel: int, y: Floats, tile: Tile, out: Bytes) -> None:
    height, width = rows.shape[0], rows.shape[1] // pixel
    row0, row1, fy = _neighbours(y, height)
    col0, col1, fx = _neighbours(tile.x, width)
    words = np.dtype(np.uint32 if pixel == 4 else np.uint8)  # four bytes are fetched as one
    left, right = (col0, col1) if pixel == 4 else (_columns(col0, pixel), _columns(col1, pixel))
    mix = _mix4 if pixel == 4 else _mix
    fx = np.repeat(fx, pixel)
    place = slice(tile.skip * pixel, tile.stop * pixel)
    step = max(1, _BLOCK // max(1, fx.size))
    for first in range(0, y.size, step):
        block = slice(first, first + step)
        upper, lower = rows[row0[block]].view(words), rows[row1[block]].view(words)
        fetched = (upper[:, left], upper[:, right], lower[:, left], lower[:, right])
        c00, c01, c10, c11 = (np.ascontiguousarray(f).view(np.uint8) for f in fetched)
        corners = (c00, c01, c10, c11)
        out[block, place] = mix(corners, fx, fy[block, None])


def _neighbours(position: Floats, side: int) -> tuple[Index, Index, Floats]:
    """Indices of the two pixels and the float32 fraction between them."""
    clamped = np.clip(position, F32(0), F32(side - 1))
    low = np.trunc(clamped)
    return low.astype(np.intp), np.ceil(clamped).astype(np.intp), clamped - low


def _mix(corners: tuple[Bytes, Bytes, Bytes, Bytes], fx: Floats, fy: Floats) -> Bytes:
    c00, c01, c10, c11 = corners
    one = F32(1)
    upper = c00 * ((one - fx) * (one - fy))
    upper += c01 * (fx * (one - fy))
    total = c10 * (fy.astype(np.float64) * (1.0 - fx.astype(np.float64)))
    total += upper
    total += c11 * (fx * fy)
    rounded = np.clip(total.astype(F32), F32(0), F32(255)).astype(np.float64)
    rounded += 0.5
    return rounded.astype(np.uint8)


def _mix4(corners: tuple[Bytes, Bytes, Bytes, Bytes], fx: Floats, fy: Floats) -> Bytes:
    c00, c01, c10, c11 = corners
    one = F32(1)
    total = c00 * ((one - fx) * (one - fy))
    total += c01 * (fx * (one - fy))
    total += c10 * (fy * (one - fx))
    total += c11 * (fx * fy)
    total = np.minimum(total, F32(255), out=total)
    mixed: Bytes = total.astype(np.uint8)
    return mixed
