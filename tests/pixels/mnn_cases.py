"""Random legal ImageProcess calls, by seed: the same list in the process that asks MNN and in the one that computes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from prepcheck.pixels.image_process import (
    Destination,
    ImageProcessConfig,
    Matrix,
    box_matrix,
    classify,
    half_pixel_matrix,
    scale_translate,
    source_nbytes,
)

COLORS = ("RGB", "BGR", "RGBA", "BGRA", "GRAY")
SOURCES = (*COLORS, "YUV_NV12", "YUV_NV21", "YUV_I420")
BYTES = {"RGB": 3, "BGR": 3, "RGBA": 4, "BGRA": 4, "GRAY": 1}
SPACES = ("YCrCb", "YUV", "XYZ", "HSV", "HSV_FULL", "BGR555", "BGR565")


@dataclass(frozen=True, slots=True)
class Case:
    """One call: everything convert() takes, and the seed of its pixels."""

    config: ImageProcessConfig
    size: tuple[int, int]
    dest: Destination
    stride: int
    pixels: int

    @property
    def source_bytes(self) -> int:
        """Length of the source: the picture, padded to what MNN's Python interface demands (the destination's elements)."""
        return max(source_nbytes(self.config.source_format, self.size, self.stride), self.dest.dims.elements)

    def source(self) -> NDArray[np.uint8]:
        """The picture's bytes: noise, the ends of the range, or a smooth walk."""
        rng = np.random.default_rng(self.pixels)
        count = self.source_bytes
        noise = rng.integers(0, 256, count, np.uint8)
        kind = self.pixels % 3
        if kind == 1:  # the ends of the range meet often: overflow and clipping
            return rng.choice(np.array([0, 1, 127, 128, 254, 255, 255], np.uint8), count)
        if kind == 2:  # smooth, so that bilinear lands near halves
            return (np.cumsum(rng.integers(-3, 4, count)) % 256).astype(np.uint8)
        return noise


def cases(seed: int, count: int) -> list[Case]:
    """`count` legal calls: those that classify() says convert() computes."""
    rng = np.random.default_rng(seed)
    out: list[Case] = []
    while len(out) < count:
        case = _case(rng)
        if classify(case.config, case.size, case.dest, case.stride, case.source_bytes).computed:
            out.append(case)
    return out


def _pick(rng: np.random.Generator, values: tuple[str, ...]) -> str:
    return values[int(rng.integers(len(values)))]


def _side(rng: np.random.Generator) -> int:
    roll = rng.random()
    if roll < 0.15:
        return int(rng.integers(1, 6))
    return int(rng.integers(6, 90)) if roll < 0.8 else int(rng.integers(90, 1500))


def _sides(rng: np.random.Generator) -> tuple[int, int]:
    """Width and height, one of them long at most."""
    width, height = _side(rng), _side(rng)
    return (width, height % 20 + 1) if width > 90 else (width, height % 300 + 1)


def _matrix(rng: np.random.Generator, source: tuple[int, int], dest: tuple[int, int]) -> Matrix | None:
    kind = int(rng.integers(10))
    sx, sy = source[0] / dest[0], source[1] / dest[1]
    if kind == 0:
        return None
    if kind == 1:
        return scale_translate(sx, sy)
    if kind == 2:
        return scale_translate((source[0] - 1) / max(1, dest[0] - 1), (source[1] - 1) / max(1, dest[1] - 1))
    if kind == 3:  # mirrored
        return scale_translate(-sx, sy, source[0] - 1.0, float(rng.normal()))
    if kind == 4:  # part of the source
        return scale_translate(*_floats(rng.uniform(0.05, 3, 2)), *_floats(rng.uniform(-20, 60, 2)))
    if kind == 5:  # letterbox
        x, y = float(int(dest[0] * rng.uniform(0, 0.4))), float(int(dest[1] * rng.uniform(0, 0.4)))
        return box_matrix(source, (x, y, max(1.0, dest[0] - 2 * x), max(1.0, dest[1] - 2 * y)))
    if kind == 6:
        return scale_translate(1.0, 1.0, *_floats(rng.integers(-5, 20, 2)))
    if kind == 7:  # exact halves and quarters: ties
        scales, shifts = rng.choice([0.25, 0.5, 1.0, 1.5, 2.0, 3.0], 2), rng.choice([-1.5, -0.5, 0.0, 0.5], 2)
        return scale_translate(*_floats(scales), *_floats(shifts))
    if kind == 8:  # far from sensible
        scales = 10 ** rng.uniform(-4, 3, 2) * rng.choice([-1, 1, 1, 1], 2)
        return scale_translate(*_floats(scales), *_floats(rng.normal(0, 10 ** rng.uniform(-3, 4), 2)))
    return half_pixel_matrix(source, dest)


def _floats(values: NDArray[np.generic]) -> tuple[float, float]:
    return float(values[0].item()), float(values[1].item())


def _dest(rng: np.random.Generator, to: str, size: tuple[int, int]) -> Destination:
    dtype = "uint8" if to in SPACES or rng.random() < 0.3 else "float32"
    channels = 2 if to in ("BGR555", "BGR565") else BYTES.get(to, 3)
    layout = "NHWC" if dtype == "uint8" and channels != 4 else _pick(rng, ("NHWC", "NCHW", "NC4HW4"))
    if dtype == "float32" and layout == "NHWC" and rng.random() < 0.2:
        channels = 4
    if layout != "NHWC" and rng.random() < 0.2:
        channels = int(rng.integers(1, 5))
    width, height = size
    shape = (1, height, width, channels) if layout == "NHWC" else (1, channels, height, width)
    return Destination(shape, layout, dtype)


def _case(rng: np.random.Generator) -> Case:
    source_format, to = _pick(rng, SOURCES), _pick(rng, COLORS)
    if source_format in ("RGB", "BGR") and rng.random() < 0.1:
        to = _pick(rng, SPACES)
    size, target = _sides(rng), _sides(rng)
    if rng.random() < 0.15:
        target = size
    if source_format.startswith("YUV") and rng.random() < 0.7:
        size = (size[0] + size[0] % 2, size[1] + size[1] % 2)
    matrix = _matrix(rng, size, target)
    mean = tuple(float(np.float32(v)) for v in rng.choice([0.0, 127.5, 103.94, 123.675, 0.485], 4))
    normal = tuple(float(np.float32(v)) for v in rng.choice([1.0, 0.017, 1 / 127.5, 0.00392156, 58.4], 4))
    config = ImageProcessConfig(
        source_format,
        to,
        (mean[0], mean[1], mean[2], mean[3]),
        (normal[0], normal[1], normal[2], normal[3]),
        _pick(rng, ("nearest", "bilinear")),
        _pick(rng, ("CLAMP_TO_EDGE", "ZERO", "REPEAT")),
        int(rng.choice([0, 114, 128, 255])),
        matrix,
    )
    stride = 0
    if rng.random() < 0.3 and source_format != "YUV_I420":
        row = 2 * ((size[0] + 1) // 2) if source_format.startswith("YUV") else size[0] * BYTES[source_format]
        stride = row + int(rng.integers(0, 40))
    return Case(config, size, _dest(rng, to, target), stride, int(rng.integers(1 << 30)))
