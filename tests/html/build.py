"""Small models, plans and pictures for the page, made here: nothing depends on a JPEG decoder or on a resize."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from prepcheck.contract.contract import Contract
from prepcheck.forensics.card import test_card

WIDTH, HEIGHT = 96, 64


@lru_cache(maxsize=1)
def card() -> NDArray[np.uint8]:
    """A picture on which every fault shows, H x W x 3 RGB."""
    return np.asarray(test_card(WIDTH, HEIGHT), np.uint8)


def save(folder: Path, pixels: NDArray[np.uint8] | None = None, name: str = "card.png") -> Path:
    """The picture as PNG."""
    path = folder / name
    Image.fromarray(card() if pixels is None else pixels).save(path)
    return path


def contract(**changes: Any) -> Contract:
    """An rk3588 model of one int8 picture input that is normalised by the runtime, with these keys of the tensor changed."""
    tensor: dict[str, Any] = {
        "index": 0, "name": "images", "layout": "NHWC", "shape": [1, HEIGHT, WIDTH, 3], "dtype": "int8",
        "scheme": "affine", "scale": 0.018658, "zero_point": -14, "value_range": [-2.127012, 2.630778],
        "mean": [123.675, 116.28, 103.53], "std": [58.395, 57.12, 57.375], "size": HEIGHT * WIDTH * 3,
    }  # fmt: skip
    model = {
        "schema": "prepcheck/contract/v1", "runtime": "rknn", "platforms": ["rk3588"], "toolkit": "2.3.2",
        "quantized": True, "inputs": [{**tensor, **changes}],
        "outputs": [{"index": 0, "name": "scores", "layout": "UNDEFINED", "shape": [1, 4], "dtype": "float32"}],
    }  # fmt: skip
    return Contract.model_validate(model)


def plan(*steps: dict[str, Any], training: dict[str, Any] | None = None, dtype: str = "FLOAT32") -> dict[str, Any]:
    """A plan by rknn_inputs_set over decode and these steps."""
    return {
        "prepcheck": "plan/v1", "runtime": "rknn", "platform": "rk3588",
        "model": {"training": training} if training else None,
        "steps": [{"decode": {"library": "pillow", "color": "RGB", "size": [WIDTH, HEIGHT]}}, *steps],
        "buffers": {"x": {"dtype": dtype.lower(), "shape": [1, HEIGHT, WIDTH, 3], "layout": "NHWC"}},
        "calls": [
            {"api": "rknn_inputs_set", "inputs": [{"index": 0, "buffer": "x", "type": dtype, "fmt": "NHWC", "pass_through": 0}]}
        ],
    }  # fmt: skip


IMAGENET = {"color": "RGB", "range": [0, 1], "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}
NORMALIZE = ({"scale": {"by": 1 / 255}}, {"normalize": {"mean": IMAGENET["mean"], "std": IMAGENET["std"]}})
