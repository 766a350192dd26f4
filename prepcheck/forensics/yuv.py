"""YUV frames submitted as they are: which of NV12, NV21, I420, YV12, YUYV, UYVY, by luma first, then by chroma."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prepcheck.forensics.case import Case
from prepcheck.forensics.colour import to_yuv
from prepcheck.forensics.fit import rgb_order
from prepcheck.forensics.model import Difference, Fault, Floats, Pixels
from prepcheck.forensics.poses import Pose
from prepcheck.forensics.verify import decibel

_MATRICES: Final = (("BT601", True), ("BT601", False), ("BT709", True), ("BT709", False))
_LUMA_SLACK, _CHROMA_SLACK = 3.0, 12.0  # chroma: one sample of four, or their mean: edges differ
FORMATS: Final = ("NV12", "NV21", "I420", "YV12", "YUYV", "UYVY", "YVYU")


@dataclass(frozen=True, slots=True)
class YuvFound:
    """The format found and how much of its bytes it re-creates."""

    fault: Fault
    score: float
    difference: Difference


def find(case: Case, pose: Pose, packed: bool) -> YuvFound | None:
    """The YUV format that the buffer is of the picture in this pose; None where the luma does not fit.

    packed: two bytes a pixel, luma and chroma alternating; else a luma plane in front.
    """
    picture = case.whole(pose)[..., list(rgb_order(case.spec))]
    height, width = picture.shape[:2]
    if height % 2 or width % 2:
        height, width = height // 2 * 2, width // 2 * 2
    picture = picture[:height, :width]
    matrix, limited = _matrix(picture, case.buffer, packed)
    best: YuvFound | None = None
    for first in (False, True):
        planes = _planes(picture, matrix, limited, first)
        for name in FORMATS[4:] if packed else FORMATS[:4]:
            made, slack = _laid_out(planes, name)
            n = min(len(made), len(case.buffer))
            if n < len(made) // 8:
                continue
            away = np.abs(made[:n].astype(np.int16) - case.buffer[:n])
            good = float((away <= slack[:n]).mean())
            if good < 0.9 or (best is not None and good <= best.score):
                continue
            rms = float(np.sqrt((away.astype(np.float32) ** 2).mean()))
            difference = Difference(float(away.max()), round(float(away.mean()), 4), round(decibel(rms), 2))
            used = f"{matrix} {'limited' if limited else 'full'}"
            best = YuvFound(Fault("yuv_as_rgb", {"format": name, "matrix": used}), good, difference)
    return best


def _matrix(rgb: Pixels, buffer: Pixels, packed: bool) -> tuple[str, bool]:
    """The matrix and range whose luma is closest to the buffer's, by every 16th row."""
    height, width = rgb.shape[:2]
    step = 2 if packed else 1
    rows = np.arange(0, min(height, len(buffer) // (width * step)), 16)
    lines = buffer[: (len(buffer) // (width * step)) * width * step].reshape(-1, width * step)[rows]
    best, least = _MATRICES[0], float("inf")
    for choice in _MATRICES:
        m, offset = to_yuv(*choice)
        luma = rgb[rows].astype(np.float32) @ m[0].astype(np.float32) + float(offset[0])
        for start in range(step):  # luma first or second in a packed pair
            away = float(np.abs(lines[:, start::step] - luma).mean()) if len(rows) else 0.0
            if away < least:
                best, least = choice, away
    return best


def _planes(rgb: Pixels, matrix: str, limited: bool, first: bool) -> tuple[Pixels, ...]:
    """Y; U and V of 2 x 2 pixels; U and V of pairs of a row (for packed formats). Chroma: the mean, or the first
    pixel's (as OpenCV does)."""
    m, offset = to_yuv(matrix, limited)
    weights, start = m.T.astype(np.float32), offset.astype(np.float32)
    height, width = rgb.shape[:2]
    y = np.empty((height, width), np.uint8)
    squares = np.empty((height // 2, width // 2, 2), np.uint8)
    pairs = np.empty((height, width // 2, 2), np.uint8)
    for top in range(0, height, 64):
        yuv: Floats = rgb[top : top + 64].astype(np.float32) @ weights + start
        two = yuv[:, 0::2, 1:] if first else (yuv[:, 0::2, 1:] + yuv[:, 1::2, 1:]) / 2
        four = two[0::2] if first else (two[0::2] + two[1::2]) / 2
        y[top : top + 64] = np.clip(np.rint(yuv[..., 0]), 0, 255)
        pairs[top : top + 64] = np.clip(np.rint(two), 0, 255)
        squares[top // 2 : top // 2 + 32] = np.clip(np.rint(four), 0, 255)
    return y, squares[..., 0], squares[..., 1], pairs[..., 0], pairs[..., 1]


def _laid_out(planes: tuple[Pixels, ...], name: str) -> tuple[Pixels, NDArray[np.uint8]]:
    """The bytes of a format and the slack of each."""
    y, u, v, u2, v2 = planes
    if name in ("NV12", "NV21"):
        chroma = np.stack([u, v] if name == "NV12" else [v, u], axis=2).ravel()
    elif name in ("I420", "YV12"):
        chroma = np.concatenate([u.ravel(), v.ravel()] if name == "I420" else [v.ravel(), u.ravel()])
    else:
        out = np.empty((*y.shape, 2), np.uint8)
        slack = np.empty_like(out)
        luma = 1 if name == "UYVY" else 0
        first, second = (v2, u2) if name == "YVYU" else (u2, v2)
        out[..., luma] = y
        out[:, 0::2, 1 - luma], out[:, 1::2, 1 - luma] = first, second
        slack[..., luma], slack[..., 1 - luma] = _LUMA_SLACK, _CHROMA_SLACK
        return out.ravel(), slack.ravel()
    made = np.concatenate([y.ravel(), chroma])
    slack = np.full(len(made), _CHROMA_SLACK, np.uint8)
    slack[: y.size] = _LUMA_SLACK
    return made, slack
