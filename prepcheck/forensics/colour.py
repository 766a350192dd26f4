"""What a wrong YUV decoder, or a gray one, makes of a picture's colours (matrices: core.yuv)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.yuv import MATRICES
from prepcheck.forensics.model import Fault, Floats, Pixels

Matrix = NDArray[np.float64]


@lru_cache(maxsize=8)
def to_yuv(matrix: str, limited: bool) -> tuple[Matrix, Matrix]:
    """(3x3, offset): Y, U, V = M · R, G, B + offset, all 0..255."""
    found = MATRICES[f"{matrix}_{'LIMIT' if limited else 'FULL'}"]
    return np.array(found.to_yuv), np.array([found.offset, 128.0, 128.0])


@dataclass(frozen=True, slots=True)
class Mix:
    """A pixel-level map of the three colours: out = clip(rint(M · rgb + offset)); `swap`: U and V exchanged between.

    encode, decode: (matrix, limited) of the two ends of a YUV path; gray: how three equal channels were made.
    blocks: side of the square that shares its chroma (1 = 4:4:4, 2 = 4:2:0 at the model's size).
    """

    name: str
    encode: tuple[str, bool] | None = None
    decode: tuple[str, bool] | None = None
    swap: bool = False
    gray: str | None = None
    blocks: int = 1

    def fault(self) -> Fault:
        """The named fault."""
        if self.encode is None or self.decode is None:
            return Fault(self.name, {"from": self.gray})
        if self.name == "uv_swapped":
            return Fault(self.name, {"used": "VU", "want": "UV"})
        if self.name == "yuv_range":
            word = {True: "limited", False: "full"}
            return Fault(self.name, {"used": word[self.decode[1]], "want": word[self.encode[1]]})
        return Fault(self.name, {"used": self.decode[0], "want": self.encode[0]})


def _mixes() -> tuple[Mix, ...]:
    out = [Mix("gray_replicated", gray=g) for g in ("luma", "average", "red", "green", "blue")]
    ends = [(m, r) for m in ("BT601", "BT709") for r in (True, False)]
    out += [Mix("uv_swapped", e, e, True) for e in ends]
    out += [Mix("yuv_range", e, (e[0], not e[1])) for e in ends]
    out += [Mix("yuv_matrix", e, ("BT709" if e[0] == "BT601" else "BT601", e[1])) for e in ends]
    return tuple(out)


MIXES: Final = _mixes()


def variants(mix: Mix | None) -> tuple[Mix | None, ...]:
    """The mix with chroma of every pixel and with chroma shared by 2 x 2 (a grid of points cannot tell them apart)."""
    if mix is None or mix.encode is None:
        return (mix,)
    return (replace(mix, blocks=1), replace(mix, blocks=2))


GRAY: Final = {
    "luma": (0.299, 0.587, 0.114),
    "average": (1 / 3, 1 / 3, 1 / 3),
    "red": (1.0, 0.0, 0.0),
    "green": (0.0, 1.0, 0.0),
    "blue": (0.0, 0.0, 1.0),
}


def mixed(rgb: NDArray[np.generic], mix: Mix) -> Floats:
    """The map applied to (…, 3) colours in RGB order, 0..255; rounded and clipped. 4:4:4 only (see `mixed_picture`)."""
    x = rgb.astype(np.float32)
    if mix.gray is not None:
        y = np.rint(x @ np.asarray(GRAY[mix.gray], np.float32))
        return np.repeat(y[..., None], 3, axis=-1)
    yuv = _encode(x, mix)
    return _decode(yuv, mix)


def _encode(x: Floats, mix: Mix) -> Floats:
    m, offset = to_yuv(*(mix.encode or ("BT601", True)))
    out: Floats = np.clip(np.rint(x @ m.T.astype(np.float32) + offset.astype(np.float32)), 0, 255)
    return out


def _decode(yuv: Floats, mix: Mix) -> Floats:
    m, offset = to_yuv(*(mix.decode or ("BT601", True)))
    if mix.swap:
        yuv = yuv[..., [0, 2, 1]]
    back = np.linalg.inv(m).T.astype(np.float32)
    out: Floats = np.clip(np.rint((yuv - offset.astype(np.float32)) @ back), 0, 255)
    return out


def mixed_picture(rgb: Pixels, mix: Mix) -> Pixels:
    """The map applied to a picture H x W x 3, chroma shared by blocks where the mix says so."""
    out = np.empty(rgb.shape, np.uint8)
    step = 64
    for top in range(0, rgb.shape[0], step):
        part = rgb[top : top + step]
        if mix.blocks == 1 or mix.encode is None:
            out[top : top + step] = mixed(part, mix)
            continue
        yuv = _encode(part.astype(np.float32), mix)
        yuv[..., 1:] = _shared(yuv[..., 1:])
        out[top : top + step] = _decode(yuv, mix)
    return out


def _shared(chroma: Floats) -> Floats:
    """Chroma averaged over 2 x 2 pixels and repeated (an odd last row or column stands alone)."""
    height, width = chroma.shape[:2]
    padded = np.pad(chroma, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    small = np.rint((padded[0::2, 0::2] + padded[1::2, 0::2] + padded[0::2, 1::2] + padded[1::2, 1::2]) / 4)
    return np.repeat(np.repeat(small, 2, 0), 2, 1)[:height, :width]
