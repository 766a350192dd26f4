"""YUV frames submitted as they are: which of NV12, NV21, I420, YV12, YUYV, UYVY, by luma first, then by chroma."""

from __future__ import annotations

from collections.abc import Iterator
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
    best: YuvFound | None = None
    for matrix, limited in _MATRICES:
        for name, planes in _candidates(picture[:height, :width], matrix, limited, packed):
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


def _candidates(rgb: Pixels, matrix: str, limited: bool, packed: bool) -> Iterator[tuple[str, tuple[Pixels, ...]]]:
    """Every format of the luma's kind, chroma averaged or taken from the first pixel (as OpenCV does)."""
    for first in (False, True):
        planes = _planes(rgb, matrix, limited, first)
        for name in FORMATS[4:] if packed else FORMATS[:4]:
            yield name, planes


def _planes(rgb: Pixels, matrix: str, limited: bool, first: bool) -> tuple[Pixels, Pixels, Pixels, Pixels, Pixels]:
    """Y, and U and V averaged over 2 x 2 and over pairs of a row (for packed formats)."""
    m, offset = to_yuv(matrix, limited)
    yuv: Floats = rgb.astype(np.float32) @ m.T.astype(np.float32) + offset.astype(np.float32)
    pairs = yuv[:, 0::2, 1:] if first else (yuv[:, 0::2, 1:] + yuv[:, 1::2, 1:]) / 2
    squares = pairs[0::2] if first else (pairs[0::2] + pairs[1::2]) / 2

    def codes(a: NDArray[np.floating]) -> Pixels:
        out: Pixels = np.clip(np.rint(a), 0, 255).astype(np.uint8)
        return out

    return codes(yuv[..., 0]), codes(squares[..., 0]), codes(squares[..., 1]), codes(pairs[..., 0]), codes(pairs[..., 1])


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
