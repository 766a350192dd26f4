"""4:2:0 sources: always NEAREST, and MNN's own coefficients.

R = Y + (73·V >> 6), G = Y − ((25·U + 37·V) rounded down by >> 6), B = Y + (130·U >> 6), with U and V minus 128, full
range. Chroma of a tile is sampled at ((x − 0.01)/2, (y − 0.01)/2) with the step of the luma, one pair for two pixels.
Measured on the MNN 3.6.1 wheel (x86-64): bit-exact, the 16-bit overflow of the SIMD part included (Y = U = 255 gives
B = 0 there, 255 in the scalar end of each tile).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from prepcheck.pixels.image_process.config import ImageProcessConfig
from prepcheck.pixels.image_process.geometry import F32, Sampling, Tile, nearest

Bytes = NDArray[np.uint8]
Pairs = NDArray[np.uint16]
"""One chroma sample of both kinds in an element: its two bytes in memory order."""


def yuv_planes(
    config: ImageProcessConfig, source: Bytes, size: tuple[int, int], plan: Sampling, dest: tuple[int, int], stride: int
) -> dict[str, Bytes]:
    """Planes of the destination picture by name: Y alone for a GRAY destination, else R, G and B.

    source: flat bytes, checked to hold the picture. stride: bytes a row of luma and of interleaved chroma, 0 = packed;
    I420 is packed always.
    """
    width, height = dest
    names = ("Y",) if config.dest_format == "GRAY" else ("R", "G", "B")
    out = {name: np.empty((height, width), np.uint8) for name in names}
    luma, pairs = _views(config.source_format, source, size, stride)
    v_at = 1 if config.source_format == "YUV_NV12" else 0
    for tile in plan.tiles:
        part = slice(tile.start, tile.start + tile.count)
        y, uv = _copy(luma, pairs, tile, height) if plan.identity else _sample(config, luma, pairs, plan, tile)
        if "Y" in out:
            out["Y"][:, part] = y
            continue
        _to_rgb(y, uv[:, :, 1 - v_at], uv[:, :, v_at], config.dest_format, [out[n][:, part] for n in names])
    return out


def _views(kind: str, source: Bytes, size: tuple[int, int], stride: int) -> tuple[Bytes, Pairs]:
    """Luma [h, w] and chroma [ceil(h/2), ceil(w/2)], a pair of bytes in each element (I420: V then U, put together)."""
    width, height = size
    half_w, half_h = (width + 1) // 2, (height + 1) // 2
    pitch = width if kind == "YUV_I420" else stride or width
    luma = np.lib.stride_tricks.as_strided(source, (height, width), (pitch, 1), writeable=False)
    rest = source[pitch * height :]
    if kind == "YUV_I420":
        u, v = rest[: 2 * half_w * half_h].reshape(2, half_h, half_w)
        chroma = np.stack((v, u), axis=-1)
    else:
        shape, steps = (half_h, half_w, 2), (stride or 2 * half_w, 2, 1)
        chroma = np.ascontiguousarray(np.lib.stride_tricks.as_strided(rest, shape, steps, writeable=False))
    return luma, chroma.view(np.uint16)[:, :, 0]


def _copy(luma: Bytes, pairs: Pairs, tile: Tile, height: int) -> tuple[Bytes, Bytes]:
    part = slice(tile.start // 2, tile.start // 2 + (tile.count + 1) // 2)
    return luma[:height, tile.start : tile.start + tile.count], _split(pairs[np.arange(height) // 2][:, part])


def _split(pairs: Pairs) -> Bytes:
    """Pairs [h, w] → bytes [h, w, 2]."""
    return np.ascontiguousarray(pairs)[:, :, None].view(np.uint8)


def _sample(config: ImageProcessConfig, luma: Bytes, pairs: Pairs, plan: Sampling, tile: Tile) -> tuple[Bytes, Bytes]:
    height = plan.rows.size
    y = np.full((height, tile.count), config.padding, np.uint8)
    uv = np.full((height, (tile.count + 1) // 2, 2), 128, np.uint8)
    if tile.x.size:
        y[:, tile.skip : tile.stop] = luma[nearest(plan.rows, luma.shape[0])][:, nearest(tile.x, luma.shape[1])]
        x = np.full((tile.x.size + 1) // 2, tile.step, dtype=F32)
        x[0] = _halved(tile.x[:1])[0]
        np.add.accumulate(x, out=x, dtype=F32)
        first = tile.skip // 2
        rows, columns = nearest(_halved(plan.rows), pairs.shape[0]), nearest(x, pairs.shape[1])
        uv[:, first : first + x.size] = _split(pairs[rows][:, columns])
    y[plan.outside] = config.padding
    uv[plan.outside] = 128
    return y, uv


def _halved(position: NDArray[np.float32]) -> NDArray[np.float32]:
    """Chroma position of a luma position: (p − 0.01)/2 in float32."""
    half: NDArray[np.float32] = np.divide(np.subtract(position, F32(0.01), dtype=F32), F32(2), dtype=F32)
    return half


def _to_rgb(luma: Bytes, u: Bytes, v: Bytes, dest_format: str, out: list[Bytes]) -> None:
    """Writes R, G, B of one tile. Since 64·Y is a multiple of 64, (64·Y + c) >> 6 is Y + (c >> 6)."""
    height, count = luma.shape
    us, vs = u.astype(np.int16) - np.int16(128), v.astype(np.int16) - np.int16(128)
    deltas = ((73 * vs) >> 6, (-25 * us - 37 * vs) >> 6, (130 * us) >> 6)
    padded = luma if count % 2 == 0 else np.pad(luma, ((0, 0), (0, 1)))
    pairs = padded.astype(np.int16).reshape(height, -1, 2)
    for plane, delta in zip(out, deltas, strict=True):
        total = pairs + delta[:, :, None]
        np.clip(total, 0, 255, out=total)
        plane[...] = total.reshape(height, -1)[:, :count]
    _overflow(luma, u, _simd_pixels(count, dest_format), out[2])


def _simd_pixels(count: int, dest_format: str) -> int:
    """Pixels of a tile that go through the SIMD code: 16 at a time, all but the last group (last two for 3 bytes)."""
    groups = count // 16 - (1 if dest_format in ("RGBA", "BGRA") else 2)
    return 16 * max(0, groups)


def _overflow(luma: Bytes, u: Bytes, simd: int, blue: Bytes) -> None:
    """64·255 + 130·127 = 32830 does not fit 16 bits: blue is 0 there."""
    hot = u[:, : simd // 2] == 255
    if simd and hot.any():
        wrapped = np.repeat(hot, 2, axis=1) & (luma[:, :simd] == 255)
        blue[:, :simd][wrapped] = 0
