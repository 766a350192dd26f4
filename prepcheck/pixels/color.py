"""Colour conversions with named matrices, both directions: RGB, BGR, RGBA, BGRA, GRAY; NV12, NV21, I420, YUYV.

RGB kinds are pictures [h, w, channels] (GRAY [h, w] or [h, w, 1]); the YUV kinds are flat bytes with their size
[width, height]. Chroma is repeated when decoding (as OpenCV does) and averaged over its block when encoding, except
with the matrix OPENCV, which takes the block's first pixel as OpenCV does.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.yuv import GRAY_WEIGHTS, MATRICES, YuvMatrix
from prepcheck.errors import UsageError

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

CHANNELS: Final[dict[str, int]] = {"RGB": 3, "BGR": 3, "RGBA": 4, "BGRA": 4, "GRAY": 1}
PLANAR: Final = frozenset({"NV12", "NV21", "I420"})
YUV: Final = PLANAR | {"YUYV"}


def nbytes(color: str, size: tuple[int, int], stride: int = 0) -> int:
    """Bytes of a packed picture; for NV12, NV21 and YUYV with rows of `stride` bytes (0 = packed)."""
    width, height = size
    half_w, half_h = (width + 1) // 2, (height + 1) // 2
    if color in CHANNELS:
        return width * height * CHANNELS[color]
    if color == "YUYV":
        return (stride or 4 * half_w) * height
    if color not in PLANAR:
        raise UsageError(f"colour {color!r} is not one of {', '.join(sorted(YUV | set(CHANNELS)))}")
    return stride * (height + half_h) if stride else width * height + 2 * half_w * half_h


def reorder(image: Bytes, source: str, to: str, *, gray: str = "opencv") -> Bytes:
    """RGB, BGR, RGBA, BGRA and GRAY to each other. A missing alpha is 255, grey becomes three equal channels.

    gray: whose rounding makes GRAY (`opencv`, `pillow`, `mnn`). Result [h, w, channels], contiguous; GRAY [h, w, 1].
    """
    for name in (source, to):
        if name not in CHANNELS:
            raise UsageError(f"colour {name!r} is not one of {', '.join(CHANNELS)}")
    picture = image[:, :, None] if image.ndim == 2 else image
    if picture.ndim != 3 or picture.shape[2] != CHANNELS[source]:
        raise UsageError(f"{source} takes a picture [h, w, {CHANNELS[source]}], not {image.shape}")
    if source == to:
        return np.ascontiguousarray(picture)
    if source == "GRAY":
        out = np.full((*picture.shape[:2], CHANNELS[to]), 255, np.uint8)
        out[:, :, :3] = picture
        return out
    red = 0 if source.startswith("RGB") else 2
    if to == "GRAY":
        return _gray(picture, red, gray)
    out = np.full((*picture.shape[:2], CHANNELS[to]), 255, np.uint8)
    order = [0, 1, 2] if source[:3] == to[:3] else [2, 1, 0]
    out[:, :, :3] = picture[:, :, order]
    if source.endswith("A") and to.endswith("A"):
        out[:, :, 3] = picture[:, :, 3]
    return out


def _gray(picture: Bytes, red: int, gray: str) -> Bytes:
    if gray not in GRAY_WEIGHTS:
        raise UsageError(f"gray {gray!r} is not one of {', '.join(GRAY_WEIGHTS)}")
    *weights, shift = GRAY_WEIGHTS[gray]
    total = np.full(picture.shape[:2], 0 if gray == "mnn" else 1 << (shift - 1), np.uint32)
    for channel, weight in zip((red, 1, 2 - red), weights, strict=True):
        total += picture[:, :, channel].astype(np.uint32) * np.uint32(weight)
    one: Bytes = (total >> np.uint32(shift)).astype(np.uint8)
    return one[:, :, None]


def decode_yuv(data: Bytes, size: tuple[int, int], source: str, *, matrix: str, stride: int = 0) -> Bytes:
    """NV12, NV21, I420 or YUYV bytes → RGB [h, w, 3].

    matrix: a name of core.yuv.MATRICES. stride: bytes a row of Y (and of interleaved chroma), 0 = packed; I420 packed
    only. Raises UsageError for unknown names and for fewer bytes than the picture takes.
    """
    found = _matrix(matrix)
    y, u, v = _split(np.ascontiguousarray(data).reshape(-1), size, source, stride)
    width, height = size
    across = 2
    down = 1 if source == "YUYV" else 2
    wide = tuple(np.repeat(np.repeat(c, down, 0)[:height], across, 1)[:, :width] for c in (u, v))
    return _to_rgb(found, y, wide[0], wide[1])


def encode_yuv(rgb: Bytes, to: str, *, matrix: str) -> Bytes:
    """RGB [h, w, 3] → packed NV12, NV21, I420 or YUYV, flat bytes.

    Raises UsageError for unknown names and for YUYV with the matrix OPENCV (its 4:2:2 encoder has other coefficients).
    """
    found = _matrix(matrix)
    if to == "YUYV" and found.fixed == "opencv":
        raise UsageError("OpenCV's YUYV encoder is not modelled: take BT601_LIMIT")
    if to not in YUV:
        raise UsageError(f"colour {to!r} is not one of {', '.join(sorted(YUV))}")
    if rgb.ndim != 3 or rgb.shape[2] != 3:
        raise UsageError(f"RGB takes a picture [h, w, 3], not {rgb.shape}")
    down = 1 if to == "YUYV" else 2
    height, width = rgb.shape[:2]
    even = np.pad(rgb, ((0, height % down), (0, width % 2), (0, 0)), mode="edge")
    y = _luma(found, rgb if to != "YUYV" else even)
    u, v = _chroma(found, even, down)
    if to == "YUYV":
        return np.stack((y[:, 0::2], u, y[:, 1::2], v), axis=-1).reshape(-1)
    if to == "I420":
        return np.concatenate((y.reshape(-1), u.reshape(-1), v.reshape(-1)))
    pair = (u, v) if to == "NV12" else (v, u)
    return np.concatenate((y.reshape(-1), np.stack(pair, axis=-1).reshape(-1)))


def _matrix(name: str) -> YuvMatrix:
    if name not in MATRICES:
        raise UsageError(f"matrix {name!r} is not one of {', '.join(MATRICES)}")
    return MATRICES[name]


def _split(flat: Bytes, size: tuple[int, int], source: str, stride: int) -> tuple[Bytes, Bytes, Bytes]:
    """Y [h, w] and the two chroma planes of flat bytes."""
    width, height = size
    half_w, half_h = (width + 1) // 2, (height + 1) // 2
    row = 4 * half_w if source == "YUYV" else 2 * half_w if stride else width
    if source not in YUV or min(size) < 1 or (stride and (stride < row or source == "I420")):
        raise UsageError(f"{source} of {width}x{height} at {stride} bytes a row is no picture that can be read")
    need = nbytes(source, size, stride)
    if flat.size < need:
        raise UsageError(f"{source} of {width}x{height} takes {need} bytes, {flat.size} given")
    if source == "YUYV":
        quads = flat[:need].reshape(height, -1)[:, :row].reshape(height, half_w, 4)
        return quads[:, :, 0::2].reshape(height, -1)[:, :width], quads[:, :, 1], quads[:, :, 3]
    pitch = stride or width
    y = flat[: pitch * height].reshape(height, pitch)[:, :width]
    rest = flat[pitch * height : need]
    if source == "I420":
        planes = rest.reshape(2, half_h, half_w)
        return y, planes[0], planes[1]
    pairs = rest.reshape(half_h, -1)[:, : 2 * half_w].reshape(half_h, half_w, 2)
    first, second = pairs[:, :, 0], pairs[:, :, 1]
    return (y, first, second) if source == "NV12" else (y, second, first)


def _to_rgb(matrix: YuvMatrix, y: Bytes, u: Bytes, v: Bytes) -> Bytes:
    if matrix.fixed == "mnn":
        luma, cu, cv = (p.astype(np.int32) for p in (y, u, v))
        cu, cv = cu - 128, cv - 128
        parts = (luma + ((73 * cv) >> 6), luma + ((-25 * cu - 37 * cv) >> 6), luma + ((130 * cu) >> 6))
        return np.stack([np.clip(p, 0, 255) for p in parts], axis=-1).astype(np.uint8)
    if matrix.fixed == "opencv":
        rows = [[round(c * (1 << 20)) for c in row] for row in matrix.to_rgb]
        base = np.maximum(y.astype(np.int32) - 16, 0) * np.int32(rows[0][0]) + np.int32(1 << 19)
        cu, cv = u.astype(np.int32) - 128, v.astype(np.int32) - 128
        parts = tuple((base + np.int32(r[1]) * cu + np.int32(r[2]) * cv) >> 20 for r in rows)
        return np.stack([np.clip(p, 0, 255) for p in parts], axis=-1).astype(np.uint8)
    planes: list[Floats] = [y.astype(np.float32) - np.float32(matrix.offset)]
    planes += [p.astype(np.float32) - np.float32(128) for p in (u, v)]
    out = np.empty((*y.shape, 3), np.uint8)
    for i, row in enumerate(matrix.to_rgb):
        out[:, :, i] = _round(_weighted(planes, row))
    return out


def _weighted(planes: list[Floats], row: tuple[float, float, float]) -> Floats:
    total: Floats = planes[0] * np.float32(row[0])
    for plane, weight in zip(planes[1:], row[1:], strict=True):
        if weight:
            total += plane * np.float32(weight)
    return total


def _round(values: Floats) -> Bytes:
    """Nearest, clipped to a byte."""
    rounded: Bytes = np.clip(np.rint(values), 0, 255).astype(np.uint8)
    return rounded


def _luma(matrix: YuvMatrix, rgb: Bytes) -> Bytes:
    planes: list[Floats] = [rgb[:, :, i].astype(np.float32) for i in range(3)]
    if matrix.fixed == "opencv":
        return _fixed(matrix, rgb, 0, 16)
    return _round(_weighted(planes, matrix.to_yuv[0]) + np.float32(matrix.offset))


def _chroma(matrix: YuvMatrix, even: Bytes, down: int) -> tuple[Bytes, Bytes]:
    """U and V, one for each block of 2 x `down` pixels of a picture with even sides."""
    if matrix.fixed == "opencv":
        first = even[::down, ::2]
        return _fixed(matrix, first, 1, 128), _fixed(matrix, first, 2, 128)
    height, width = even.shape[:2]
    blocks = even.reshape(height // down, down, width // 2, 2, 3).mean(axis=(1, 3), dtype=np.float32)
    planes: list[Floats] = [blocks[:, :, i] for i in range(3)]
    u, v = (_round(_weighted(planes, row) + np.float32(128)) for row in matrix.to_yuv[1:])
    return u, v


def _fixed(matrix: YuvMatrix, rgb: Bytes, row: int, offset: int) -> Bytes:
    total = np.full(rgb.shape[:2], (1 << 19) + (offset << 20), np.int32)
    for i, weight in enumerate(matrix.to_yuv[row]):
        total += rgb[:, :, i].astype(np.int32) * np.int32(round(weight * (1 << 20)))
    clipped: Bytes = np.clip(total >> 20, 0, 255).astype(np.uint8)
    return clipped
