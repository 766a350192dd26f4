"""RGA's scaler on pixels, rknn_model_zoo's CPU fallback, and the comparison of a picture with its reference.

The model behind rga.py: horizontal pass, then vertical, float between them (inferred), rounded to nearest (allow half a
step of bias); the bicubic kernel is Catmull-Rom (a = −0.5, inferred).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prepcheck.errors import UsageError
from prepcheck.pixels.rga import DEFAULT, AxisScale, Core, Tolerance, axis_filters, axis_scale, tolerance_for

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

_BLOCK: Final = 64
"""Rows worked on at a time, so that memory stays a small multiple of the picture."""


def rga_resize(image: Bytes, size: tuple[int, int], core: Core = "rga2", interpolation: int = DEFAULT) -> Bytes:
    """The picture [h, w, channels] (or [h, w]) scaled to `size` [width, height] as the core does by the model."""
    picture = image[:, :, None] if image.ndim == 2 else image
    height, width = picture.shape[:2]
    if min(*size, width, height) < 2:
        raise UsageError(f"RGA needs 2 pixels on every side: {width}x{height} to {size[0]}x{size[1]}")
    names = axis_filters((width, height), size, core, interpolation)
    across = taps(axis_scale(width, size[0], names[0], core))
    down = taps(axis_scale(height, size[1], names[1], core))
    middle = np.empty((height, size[0], picture.shape[2]), np.float32)
    for top in range(0, height, _BLOCK):
        block = picture[top : top + _BLOCK].astype(np.float32)
        middle[top : top + _BLOCK] = _apply(block, across, 1)
    out = np.empty((size[1], size[0], picture.shape[2]), np.uint8)
    for top in range(0, size[1], _BLOCK):
        index, weight = down[0][top : top + _BLOCK], down[1][top : top + _BLOCK]
        out[top : top + _BLOCK] = np.clip(np.rint(_apply(middle, (index, weight), 0)), 0, 255)
    return out if image.ndim == 3 else out[:, :, 0]


def box_resize(image: Bytes, size: tuple[int, int]) -> Bytes:
    """The plain mean over source/dest pixels (OpenCV's INTER_AREA within rounding), [h, w, channels], reductions only."""
    height, width = image.shape[:2]
    middle = _apply(image.astype(np.float32), taps(AxisScale("average", width, size[0], width / size[0])), 1)
    out = _apply(middle, taps(AxisScale("average", height, size[1], height / size[1])), 0)
    return np.clip(np.rint(out), 0, 255).astype(np.uint8)


Taps = tuple[NDArray[np.intp], Floats]
"""Source indices and weights [dest, taps] of one axis."""


def taps(axis: AxisScale) -> Taps:
    """Which source pixels, how heavy, make each output pixel of the axis; beyond the border the last one counts."""
    j = np.arange(axis.dest, dtype=np.float64)
    if axis.filter == "none":
        return np.arange(axis.dest, dtype=np.intp)[:, None], np.ones((axis.dest, 1), np.float32)
    if axis.filter == "average":
        left = np.minimum(j * axis.step, axis.source - axis.step)[:, None]
        index = np.floor(left + 1e-9).astype(np.intp) + np.arange(int(np.ceil(axis.step)) + 1)
        weight = np.minimum(index + 1, left + axis.step) - np.maximum(index, left)
        weight = np.where(index < axis.source, np.maximum(weight, 0), 0)
    else:
        position = np.clip(j * axis.step + axis.shift, 0, axis.source - 1)[:, None]
        reach = 1 if axis.filter == "linear" else 2
        index = np.floor(position).astype(np.intp) + np.arange(1 - reach, reach + 1)
        distance = np.abs(position - index)
        weight = np.maximum(0, 1 - distance) if axis.filter == "linear" else _catmull_rom(distance)
    weight = weight / weight.sum(axis=1, keepdims=True)
    return np.clip(index, 0, axis.source - 1), weight.astype(np.float32)


def _catmull_rom(distance: NDArray[np.float64]) -> NDArray[np.float64]:
    near = (1.5 * distance - 2.5) * distance**2 + 1
    far = ((-0.5 * distance + 2.5) * distance - 4) * distance + 2
    out: NDArray[np.float64] = np.where(distance < 1, near, np.where(distance < 2, far, 0))
    return out


def _apply(values: Floats, of: Taps, axis: int) -> Floats:
    index, weight = of
    shape = (-1, 1, 1) if axis == 0 else (1, -1, 1)
    total: Floats = np.take(values, index[:, 0], axis) * weight[:, 0].reshape(shape)
    for t in range(1, index.shape[1]):
        if weight[:, t].any():
            total += np.take(values, index[:, t], axis) * weight[:, t].reshape(shape)
    return total


def zoo_cpu_resize(image: Bytes, size: tuple[int, int]) -> Bytes:
    """rknn_model_zoo's CPU scaling of interleaved pixels: bilinear from the top left corner, truncated.

    Source position j·(source/dest) in float32; behind the last row and column the one before is taken. At whole ratios
    every weight is 0 and pixels are dropped. Source: airockchip/rknn_model_zoo utils/image_utils.c.
    """
    picture = image[:, :, None] if image.ndim == 2 else image
    height, width = picture.shape[:2]
    x0, x1, fx = _zoo_axis(width, size[0])
    y0, y1, fy = _zoo_axis(height, size[1])
    out = np.empty((size[1], size[0], picture.shape[2]), np.uint8)
    one, fx = np.float32(1), fx[None, :, None]
    for top in range(0, size[1], _BLOCK):
        part = slice(top, top + _BLOCK)
        upper, lower, f = picture[y0[part]], picture[y1[part]], fy[part, None, None]
        total = upper[:, x0] * (one - fx) * (one - f)
        total += upper[:, x1] * fx * (one - f)
        total += lower[:, x0] * f * (one - fx)
        total += lower[:, x1] * fx * f
        out[part] = total.astype(np.uint8)
    return out if image.ndim == 3 else out[:, :, 0]


def zoo_taps(source: int, dest: int) -> Taps:
    """The two source pixels of each output pixel of zoo_cpu_resize and their weights."""
    index, other, weight = _zoo_axis(source, dest)
    return np.stack([index, other], axis=1), np.stack([1 - weight, weight], axis=1)


def _zoo_axis(source: int, dest: int) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    position = np.arange(dest, dtype=np.float32) * np.float32(np.float32(source) / np.float32(dest))
    index = np.minimum(position.astype(np.intp), source - 1)
    other = np.where(index == source - 1, np.maximum(index - 1, 0), index + 1)
    return index, other, position - index.astype(np.float32)


@dataclass(frozen=True, slots=True)
class Difference:
    """got − want over all values: largest and mean absolute step, mean (bias), PSNR in dB (inf when equal)."""

    max_abs: int
    mean_abs: float
    bias: float
    psnr: float


def difference(got: Bytes, want: Bytes, border: int = 0) -> Difference:
    """Compares two pictures of one shape, `border` pixels left out at every edge. UsageError for other shapes."""
    if got.shape != want.shape:
        raise UsageError(f"pictures of {got.shape} and {want.shape} cannot be compared")
    inner = tuple(slice(border, n - border) if n > 2 * border else slice(None) for n in got.shape[:2])
    delta = got[inner].astype(np.int16) - want[inner].astype(np.int16)
    square = float(np.mean(np.square(delta, dtype=np.int32)))
    absolute = np.abs(delta)
    psnr = float("inf") if square == 0 else 10 * float(np.log10(255.0**2 / square))
    return Difference(int(absolute.max()), float(absolute.mean()), float(delta.mean()), psnr)


@dataclass(frozen=True, slots=True)
class Match:
    """verdict: pass, warn (RGA cannot be excluded) or fail; difference at the best shift (dx, dy), got against want."""

    verdict: str
    difference: Difference
    shift: tuple[int, int]


def within(got: Bytes, want: Bytes, tolerance: Tolerance) -> Match:
    """Whether `got` is `want` (the tolerance's reference) within the tolerance, whole-pixel shifts searched."""
    best = _shifted(got, want, (0, 0), tolerance.border)
    where = (0, 0)
    for axis in (0, 1):  # one axis after the other: a picture shifts along both independently
        for step in range(-tolerance.shift, tolerance.shift + 1):
            trial = (step, where[1]) if axis == 0 else (where[0], step)
            if abs(trial[0]) * 2 >= got.shape[1] or abs(trial[1]) * 2 >= got.shape[0]:
                continue
            found = _shifted(got, want, trial, tolerance.border)
            if found.psnr > best.psnr:
                best, where = found, trial
    close = tolerance.max_abs is None or best.max_abs <= tolerance.max_abs
    if close and (tolerance.psnr is None or best.psnr >= tolerance.psnr):
        return Match("pass", best, where)
    warn = tolerance.warn_psnr is not None and best.psnr >= tolerance.warn_psnr
    return Match("warn" if warn else "fail", best, where)


def rga_match(got: Bytes, image: Bytes, core: Core = "rga2", interpolation: int = DEFAULT) -> Match:
    """Whether `got` is what the core may make of `image` by scaling: the best of its model and, for RGA3, the plain box.

    RGA3's window drifts by up to source/dest − 1 pixels towards the far edge unless the hardware compensates, which is
    not known: both ends are tried.
    """
    size = (got.shape[1], got.shape[0])
    tolerance = tolerance_for((image.shape[1], image.shape[0]), size, core)
    wants = [rga_resize(image, size, core, interpolation) if tolerance.reference != "exact" else image]
    if tolerance.reference == "area":
        wants.append(box_resize(image if image.ndim == 3 else image[:, :, None], size).reshape(got.shape))
    return max((within(got, want, tolerance) for want in wants), key=lambda m: m.difference.psnr)


def _shifted(got: Bytes, want: Bytes, shift: tuple[int, int], border: int) -> Difference:
    """got(x + dx, y + dy) against want(x, y) where both exist."""
    dx, dy = shift
    height, width = want.shape[:2]
    rows, columns = slice(max(0, -dy), height - max(0, dy)), slice(max(0, -dx), width - max(0, dx))
    moved = got[rows.start + dy : rows.stop + dy, columns.start + dx : columns.stop + dx]
    return difference(moved, want[rows, columns], border)
