"""Resizers as weights: which source pixels, how heavy, make one output pixel. Each is separable.

A resizer is known by a name `library-filter`. Whole pictures are scaled by pixels/; `axis_taps` gives the weights along
one axis, so that a few rows and columns can be computed without the rest (a grid of points tells filters apart for a
hundredth of the price). RGA's and rknn_model_zoo's weights are those of pixels/; OpenCV's and Pillow's as documented
(half-pixel centres; Pillow widens its kernel when shrinking), measured to ±1 against both libraries by tests/forensics;
MNN: measured, MNN 3.6.1 (destination-to-source matrix without half-pixel shift).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.geometry import Box
from prepcheck.forensics.model import Floats, Pixels
from prepcheck.pixels.resize import resize as scaled
from prepcheck.pixels.rga import DEFAULT, LINEAR, Core, axis_filters, axis_scale
from prepcheck.pixels.rga_scale import rga_resize, taps, zoo_taps

Taps = tuple[NDArray[np.int64], Floats]
Positions = NDArray[np.floating]

FAMILY = {
    "opencv-bilinear": "bilinear",
    "pillow-bilinear": "bilinear",
    "opencv-area": "area",
    "opencv-nearest": "nearest",
    "opencv-bicubic": "bicubic",
    "pillow-bicubic": "bicubic",
    "zoo-bilinear": "bilinear",
    "mnn-origin": "bilinear",
    "mnn-corner": "bilinear",
    "rga-corner-bicubic": "bicubic",
    "rga3-average": "area",
    "rga-linear-down": "bilinear",
    "pillow-nearest": "nearest",
    "opencv-lanczos": "lanczos",
    "pillow-lanczos": "lanczos",
    "pillow-box": "area",
    "pillow-hamming": "area",
}
"""Every resizer known and its kind, the likelier first."""

_RGA: dict[str, tuple[Core, int]] = {
    "rga-corner-bicubic": ("rga2", DEFAULT),
    "rga3-average": ("rga3", DEFAULT),
    "rga-linear-down": ("rga2_pro", LINEAR),
}
_PIXELS = {"box": "area"}
_STAND_IN = frozenset({"opencv-area", "rga3-average", "rga-corner-bicubic", "rga-linear-down", "zoo-bilinear",
                       "mnn-origin", "mnn-corner"})  # fmt: skip
"""What a device's own scaler makes of a request for `bilinear`: RGA averages down and is bicubic up whatever is asked."""


def legal_for(filter_name: str | None, resizer: str) -> bool:
    """Whether `resizer` is a correct implementation of the filter that the plan names (any one where it names none)."""
    return filter_name is None or FAMILY[resizer] == filter_name or (filter_name == "bilinear" and resizer in _STAND_IN)


def _cubic(a: float) -> Callable[[Floats], Floats]:
    def kernel(x: Floats) -> Floats:
        x = np.abs(x)
        near = ((a + 2) * x - (a + 3)) * x * x + 1
        far = a * (((x - 5) * x + 8) * x - 4)
        out: Floats = np.where(x < 1, near, np.where(x < 2, far, 0)).astype(np.float32)
        return out

    return kernel


def _lanczos(n: int) -> Callable[[Floats], Floats]:
    return lambda x: np.where(np.abs(x) < n, np.sinc(x) * np.sinc(x / n), 0).astype(np.float32)


def _triangle(x: Floats) -> Floats:
    out: Floats = np.maximum(0, 1 - np.abs(x)).astype(np.float32)
    return out


def _box(x: Floats) -> Floats:
    return ((x > -0.5) & (x <= 0.5)).astype(np.float32)


def _hamming(x: Floats) -> Floats:
    return np.where(np.abs(x) < 1, np.sinc(x) * (0.54 + 0.46 * np.cos(np.pi * x)), 0).astype(np.float32)


_KERNELS: dict[str, tuple[Callable[[Floats], Floats], float]] = {
    "bilinear": (_triangle, 1.0),
    "bicubic": (_cubic(-0.5), 2.0),
    "lanczos": (_lanczos(3), 3.0),
    "box": (_box, 0.5),
    "hamming": (_hamming, 1.0),
}
_FIXED: dict[str, tuple[Callable[[Floats], Floats], int]] = {
    "linear": (_triangle, 1),
    "cubic": (_cubic(-0.75), 2),
    "lanczos4": (_lanczos(4), 4),
}


def _at(position: Positions, n_in: int, kernel: str) -> Taps:
    """Kernel of fixed width around each source position; edges repeat the border pixel."""
    function, half = _FIXED[kernel]
    base = np.floor(position).astype(np.int64)
    offsets = np.arange(1 - half, half + 1)
    index = base[:, None] + offsets
    weight = function((position[:, None] - index).astype(np.float32))
    weight = weight / weight.sum(axis=1, keepdims=True)
    return np.clip(index, 0, n_in - 1), weight


def _pick(position: Positions, n_in: int) -> Taps:
    index = np.clip(np.floor(position + 1e-9).astype(np.int64), 0, n_in - 1)[:, None]
    return index, np.ones(index.shape, np.float32)


def _widened(out: NDArray[np.int64], n_in: int, step: float, kernel: str) -> Taps:
    """Pillow: the kernel is as wide as the reduction; what falls outside the picture is left out."""
    function, support = _KERNELS[kernel]
    wide = max(1.0, step)
    centre = (out + 0.5) * step
    first = np.floor(centre - support * wide + 0.5).astype(np.int64)
    index = first[:, None] + np.arange(int(np.ceil(2 * support * wide)) + 2)
    weight = function(((index + 0.5 - centre[:, None]) / wide).astype(np.float32))
    weight = np.where((index >= 0) & (index < n_in), weight, 0)
    return np.clip(index, 0, n_in - 1), (weight / weight.sum(axis=1, keepdims=True)).astype(np.float32)


def _average(left: Positions, width: float, n_in: int) -> Taps:
    """Mean over [left, left + width) of the source, border pixels in part."""
    left = np.clip(left, 0, max(0.0, n_in - width))
    index = np.floor(left + 1e-6).astype(np.int64)[:, None] + np.arange(int(np.ceil(width)) + 1)
    weight = np.minimum(index + 1, left[:, None] + width) - np.maximum(index, left[:, None])
    weight = np.maximum(weight, 0)
    return np.clip(index, 0, n_in - 1), (weight / weight.sum(axis=1, keepdims=True)).astype(np.float32)


@lru_cache(maxsize=64)
def _modelled(resizer: str, n_in: int, n_out: int) -> Taps:
    """The weights of a whole axis by pixels/."""
    if resizer == "zoo-bilinear":
        return zoo_taps(n_in, n_out)
    core, interpolation = _RGA[resizer]
    name = axis_filters((n_in, n_in), (n_out, n_out), core, interpolation)[0]
    return taps(axis_scale(n_in, n_out, name, core))


def axis_taps(resizer: str, n_in: int, n_out: int, out: NDArray[np.int64]) -> Taps:
    """Source indexes and weights, both len(out) x taps, for the output positions `out` of an axis n_in → n_out."""
    step = n_in / n_out
    half = (out + 0.5) * step - 0.5
    library, _, name = resizer.partition("-")
    if n_in == n_out:
        return out[:, None].copy(), np.ones((len(out), 1), np.float32)
    if (resizer in _RGA and min(n_in, n_out) > 1) or resizer == "zoo-bilinear":
        index, weight = _modelled(resizer, n_in, n_out)
        return index[out], weight[out]
    if library == "pillow":
        return _pick((out + 0.5) * step, n_in) if name == "nearest" else _widened(out, n_in, step, name)
    if resizer == "opencv-nearest":
        return _pick(out * step, n_in)
    if resizer == "opencv-area" and n_out < n_in:
        return _average(out * step, step, n_in)
    if resizer == "mnn-corner":
        return _at(out * ((n_in - 1) / max(1, n_out - 1)), n_in, "linear")
    if resizer == "mnn-origin":
        return _at(out * step, n_in, "linear")
    kernel = {"opencv-bicubic": "cubic", "opencv-lanczos": "lanczos4"}.get(resizer, "linear")
    if resizer == "opencv-bilinear" and n_in == 2 * n_out:
        return _average(out * step, step, n_in)
    return _at(half, n_in, kernel)


@dataclass(frozen=True, slots=True)
class Axes:
    """Weights of some rows and columns of one resize."""

    y: Taps
    x: Taps
    truncate: bool


def axes_of(resizer: str, source: Box, size: tuple[int, int], rows: NDArray[np.int64], cols: NDArray[np.int64]) -> Axes:
    """Weights for output rows and columns of `source` (a region of the picture) scaled to size (height, width)."""
    yi, yw = axis_taps(resizer, source.h, size[0], rows)
    xi, xw = axis_taps(resizer, source.w, size[1], cols)
    return Axes((yi + source.y, yw), (xi + source.x, xw), resizer == "zoo-bilinear")


def sample(image: Pixels, axes: Axes) -> Floats:
    """Rows x columns x channels of the resized picture, rounded as the resizer does, as float32."""
    (yi, yw), (xi, xw) = axes.y, axes.x
    used, place = np.unique(xi, return_inverse=True)
    place = place.reshape(xi.shape)
    lines = np.zeros((yi.shape[0], len(used), image.shape[2]), np.float32)
    for ty in range(yi.shape[1]):
        lines += image[yi[:, ty]][:, used] * yw[:, ty, None, None]
    out = np.zeros((yi.shape[0], xi.shape[0], image.shape[2]), np.float32)
    for tx in range(xi.shape[1]):
        out += lines[:, place[:, tx]] * xw[:, tx, None]
    made: Floats = np.clip(np.floor(out + (1e-3 if axes.truncate else 0.5)), 0, 255).astype(np.float32)
    return made


def resize(image: Pixels, size: tuple[int, int], resizer: str, source: Box | None = None) -> Pixels:
    """The whole picture (or its region `source`) scaled to size (height, width): by pixels/ where it has the resizer."""
    source = source or Box(0, 0, image.shape[1], image.shape[0])
    region = image[source.y : source.y + source.h, source.x : source.x + source.w]
    height, width = size
    if (source.h, source.w) == size:
        return np.ascontiguousarray(region)
    library, _, name = resizer.partition("-")
    if library in ("opencv", "pillow", "zoo"):
        done = scaled(np.ascontiguousarray(region), (width, height), filter=_PIXELS.get(name, name), library=library)
        if not done.fell_back:
            return done.pixels
    elif library.startswith("rga") and min(*size, source.h, source.w) > 1:
        return rga_resize(region, (width, height), *_RGA[resizer])
    out = np.empty((height, width, image.shape[2]), np.uint8)
    for top in range(0, height, 64):
        rows = np.arange(top, min(height, top + 64))
        out[top : top + 64] = sample(image, axes_of(resizer, source, size, rows, np.arange(width)))
    return out
