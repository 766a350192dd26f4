"""Contracts and stand-ins that the guard's tests share. The stand-ins have the signatures of the vendors' classes."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def rknn(
    shape: tuple[int, int, int, int] = (1, 48, 64, 3),
    *,
    value_range: tuple[float, float] | None = (0.0, 255.0),
    mean: float = 0.0,
    std: float = 1.0,
    dtype: str = "int8",
    scale: float = 1.0,
    name: str = "images",
    runtime: str = "rknn",
) -> dict[str, Any]:
    """A one-picture RKNN contract in document form; scale 1, zero point −128 unless said otherwise."""
    channels = shape[3]
    stride = -(-shape[2] // 16) * 16 + 16
    tensor = {
        "index": 0, "name": name, "layout": "NHWC", "shape": list(shape), "dtype": dtype, "scheme": "affine", "scale": scale,
        "zero_point": -128, "size": int(np.prod(shape)), "w_stride": stride, "size_with_stride": int(np.prod(shape)) // shape[2] * stride,
        "mean": [mean] * channels, "std": [std] * channels, "value_range": None if value_range is None else list(value_range),
        "source": {"layout": "NCHW", "shape": [shape[0], channels, shape[1], shape[2]], "dtype": "float32"},
    }  # fmt: skip
    return {
        "schema": "prepcheck/contract/v1",
        "runtime": runtime,
        "platforms": ["rk3588"],
        "inputs": [tensor],
        "outputs": [],
    }


def mnn(
    shape: tuple[int, ...] = (1, 3, 8, 10), layout: str = "NCHW", dtype: str = "float32", name: str = "input"
) -> dict[str, Any]:
    """A one-input MNN contract in document form."""
    tensor = {"index": 0, "name": name, "layout": layout, "shape": list(shape), "dtype": dtype, "scheme": "none"}
    return {"schema": "prepcheck/contract/v1", "runtime": "mnn", "inputs": [tensor], "outputs": []}


class RKNN:
    """The signature of rknn.api.RKNN (2.5.0). Counts its runs; answers with sums over a fixed random projection."""

    def __init__(self) -> None:
        self.runs = 0
        self.released = False

    def inference(
        self, inputs: Any, data_format: Any = None, inputs_pass_through: Any = None, get_frame_id: bool = False
    ) -> Any:
        self.runs += 1
        return [answer(inputs if isinstance(inputs, np.ndarray) else inputs[0])]

    def init_runtime(self, target: Any = None, async_mode: bool = False) -> int:
        return 0

    def release(self) -> None:
        self.released = True


class RKNNLite:
    """The signature of rknnlite.api.RKNNLite (2.x)."""

    def __init__(self) -> None:
        self.runs = 0

    def inference(
        self, inputs: Any, data_type: Any = None, data_format: Any = None, inputs_pass_through: Any = None,
        get_frame_id: bool = False,
    ) -> Any:  # fmt: skip
        self.runs += 1
        return [answer(inputs[0])]


def answer(array: Array) -> Array:
    """Ten numbers that depend on every element of an array, the same for the same bytes."""
    return (np.asarray(array, np.float64).reshape(1, -1) @ _weights(array.size)).astype(np.float32)


@functools.lru_cache(maxsize=8)
def _weights(size: int) -> Array:
    return np.cos(np.arange(size)[:, None] * 0.7 * np.arange(1, 11)[None])


def picture(rng: np.random.Generator, height: int = 48, width: int = 64, channels: int = 3) -> Array:
    """A photograph-like uint8 picture: smooth shapes of high contrast with a little noise. Shape (height, width, channels)."""
    y, x = np.mgrid[0:height, 0:width]
    planes = []
    for _ in range(channels):
        a, b, c, d = rng.uniform(0.05, 0.35, 4)
        planes.append(
            120 + 90 * np.sin(a * x + b * y + rng.uniform(0, 6)) + 45 * np.cos(c * x - d * y + rng.uniform(0, 6))
        )
    image = np.stack(planes, -1) + rng.normal(0, 2, (height, width, channels))
    return np.clip(image, 0, 255).astype(np.uint8)
