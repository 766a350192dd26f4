"""What the two sides of the size benchmark share: the prior file, tensors, rows, and the chip tables written down again."""

from __future__ import annotations

import json
import math
import os
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PRIORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "prepcheck" / "data" / "size_priors.json").read_text(encoding="utf-8")
)


def _jitter(priors: dict[str, Any], spread: float) -> None:
    """Multiply the weights by exp of a normal number: a world that differs from the stated prior.

    The product keeps the prior as it stands; rows and optimum follow the changed one. Set SIZES_JITTER=0.7 (a factor of
    2 up or down in two of three weights) to see what a wrong prior costs.
    """
    rng = random.Random(1)
    for fault in priors["faults"].values():
        fault["count"] = (fault["count"] + 1) * math.exp(rng.gauss(0, spread)) - 1
    tables = [priors["batch"]["counts"], priors["pitch"]["align"], priors["header"]["bytes"]]
    tables += [priors["shapes"][name] for name in ("families", "squares", "channels", "feature_channels")]
    tables += [priors["pixel_formats"][name] for name in ("frame", "buffer")]
    for weights in tables:
        for key in weights:
            weights[key] *= math.exp(rng.gauss(0, spread))
    rows = [row for name in ("rknn", "rknn1", "mnn", "generic") for row in priors["dtype"][name]]
    for row in (*rows, *priors["shapes"]["rects"], *priors["frames"]["sizes"]):
        row[-1] *= math.exp(rng.gauss(0, spread))


if JITTER := float(os.environ.get("SIZES_JITTER", "0")):
    _jitter(PRIORS, JITTER)

DTYPES = {1: "uint8", 2: "float16", 4: "float32", 8: "int64"}
ALIASES = {"pitch": "row_stride", "map_size": "other_size", "yuv_tensor": "yuv", "yuv_planes": "yuv"}
C2 = {  # RKNN API guide 1.5.2 table 4-6 and compile logs, written down again: (8-bit, 16-bit) channels a block
    "rk3588": (16, 8), "rk3576": (16, 8), "rk3562": (16, 8), "rk3566": (8, 4), "rk3568": (8, 4),
    "rv1106": (16, 8), "rv1103": (16, 8), "rv1106b": (8, None), "rv1126b": (16, 8),
}  # fmt: skip
ROWS = {name: (8, 4) if name.startswith("rk356") and name != "rk3562" else (16, 8) for name in C2}
"""Pixels to which rows are padded, (8-bit, 16-bit)."""


LISTED = {(row[0], row[1]) for row in PRIORS["frames"]["sizes"]}


@dataclass(frozen=True)
class Tensor:
    """axes of one item in NHWC order for four axes (h, w, c), else as they are."""

    family: str
    c: int
    h: int
    w: int
    axes: tuple[int, ...]

    @property
    def elements(self) -> int:
        return math.prod(self.axes)

    def stated(self, layout: str, lead: int) -> tuple[int, ...]:
        if self.c and layout in ("NCHW", "NC4HW4"):
            return (lead, self.c, self.h, self.w)
        return (lead, *self.axes)


@dataclass(frozen=True)
class Row:
    """One pair and what could be told about it. label: kind and key of the right reading ("none" where there is none)."""

    got: int
    want: int
    label: tuple[Any, ...]
    shape: tuple[int, ...] | None
    layout: str | None
    dtype: str | None
    runtime: str
    platform: str | None


def pitch_of(rule: str, width: int) -> int:
    """Row pitch in pixels under a rule of the prior."""
    if rule == "mpp-rk3588":
        return (width + 255) // 256 * 256 | 256
    if rule == "mpp-rk3576":
        return ((width + 127) // 128 * 128 | 128) + 64
    return -(-width // int(rule)) * int(rule)
