"""What random RKNN plans are put together of: inputs, buffers, the document."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from math import prod
from typing import Any

from tests.plans.rknn_tables import BUILDS, VERSIONS, WIDTH, Build, Chip

Body = dict[str, Any]


def up(value: int, step: int) -> int:
    """The next multiple."""
    return -(-value // step) * step


@dataclass
class Input:
    """One input in the making: its contract entry, the form in which the NPU holds it, and what is meant to be done."""

    tensor: Body
    kind: str  # picture, map, vector
    shape: tuple[int, ...]
    dtype: str
    pitch: int = 0
    native: int = 0
    block: int | None = None
    build: Build | None = None

    @property
    def elements(self) -> int:
        return prod(self.shape)

    @property
    def padded(self) -> bool:
        return self.kind == "picture" and self.pitch > self.shape[2]


@dataclass
class Making:
    """A plan in the making."""

    rng: random.Random
    platform: str
    kind: str
    chip: Chip | None
    inputs: list[Input] = field(default_factory=list)
    buffers: Body = field(default_factory=dict)
    calls: list[Body] = field(default_factory=list)
    model: Body = field(default_factory=dict)
    plan: Body = field(default_factory=dict)

    def some(self, *choices: Any) -> Any:
        return self.rng.choice(choices)

    def maybe(self, chance: float = 0.5) -> bool:
        return self.rng.random() < chance


def picture(m: Making, position: int, *, dtype: str | None = None, batch: int = 1) -> Input:
    """A picture input with 1, 3 or 4 channels."""
    chip = m.chip
    dtype = dtype or ("int8" if chip is None or not chip.floats else m.some("int8", "int8", "float16"))
    n, h, w, c = batch, m.rng.randint(8, 80), m.rng.randint(9, 200), m.some(1, 3, 3, 3, 4)
    build = m.some(*BUILDS)
    tensor: Body = {
        "index": position,
        "name": f"image{position}",
        "layout": "NHWC",
        "shape": [n, h, w, c],
        "dtype": dtype,
    }
    if dtype == "int8":
        tensor |= {"scheme": "affine", "scale": build.scale, "zero_point": build.zero_point}
    else:
        tensor["scheme"] = "none"
    found = Input(tensor, "picture", (n, h, w, c), dtype, build=build)
    width = WIDTH[dtype]
    if chip is not None:
        found.pitch = up(w, chip.rows8 if width == 1 else chip.rows16)
        found.native = n * h * found.pitch * c * width
        if m.maybe(0.7):
            tensor |= {"size": found.elements * width, "w_stride": found.pitch, "size_with_stride": found.native}
    return found


def feature_map(m: Making, position: int) -> Input:
    """A four-dimensional input with other channels: held in blocks."""
    chip = m.chip
    assert chip is not None
    dtype = "int8" if not chip.floats else m.some("int8", "float16")
    channels = m.some(5, 16, 17, 64, 96) if chip.two else m.some(2, 5, 16, 17, 64, 96)
    shape = (1, m.rng.randint(4, 24), m.rng.randint(4, 24), channels)
    tensor: Body = {"index": position, "name": f"map{position}", "layout": "NHWC", "shape": list(shape), "dtype": dtype}
    tensor |= {"scheme": "affine", "scale": 0.05, "zero_point": 3} if dtype == "int8" else {"scheme": "none"}
    block = chip.block8 if dtype == "int8" else chip.block16
    assert block is not None
    size = -(-channels // block) * block * shape[1] * shape[2] * WIDTH[dtype]
    return Input(tensor, "map", shape, dtype, native=size, block=block)


def vector(m: Making, position: int) -> Input:
    """An input that is no picture."""
    shape = m.some((1, 154), (1, 9, 34), (1, 3, 8, 12, 16))
    dtype = m.some("int8", "float16", "int64") if m.chip is not None and m.chip.floats else "int8"
    tensor: Body = {
        "index": position,
        "name": f"vector{position}",
        "layout": "UNDEFINED",
        "shape": list(shape),
        "dtype": dtype,
    }
    tensor |= {"scheme": "affine", "scale": 0.1, "zero_point": 0} if dtype == "int8" else {"scheme": "none"}
    return Input(tensor, "vector", shape, dtype, native=prod(shape) * WIDTH[dtype])


def buffer_of(m: Making, given: Input, dtype: str, name: str) -> Body:
    """An entry of `buffers` that holds the input's content in an element type, rows packed."""
    body: Body = {"dtype": dtype, "shape": list(given.shape), "size": given.elements * WIDTH[dtype]}
    if given.kind != "vector":
        body["layout"] = "NHWC"
        if given.shape[0] == 1 and m.maybe():
            body |= {"layout": "HWC", "shape": list(given.shape[1:])}
    else:
        body["layout"] = "UNDEFINED"
    if given.kind == "picture" and dtype in ("uint8", "float32", "float16"):
        body["range"] = [0, 255]
        if given.shape[3] == 3:
            body["color"] = "RGB"
    elif given.kind == "vector" and dtype.startswith("float"):
        body["range"] = [-12.8, 12.7]
    m.buffers[name] = body
    return body


def finish(m: Making) -> Body:
    """Put the parts together."""
    model: Body = {"inputs": [i.tensor for i in m.inputs], **m.model}
    builds = [i.build for i in m.inputs]
    if m.kind != "rknn1" and any(builds) and m.maybe(0.6):
        rows = [[list(b.mean)[: i.shape[3]] if i.shape[3] <= 3 else [*b.mean, 0] if b else None, b] if b else [None, None]
                for i, b in zip(m.inputs, builds, strict=True)]  # fmt: skip
        if all(i.kind != "picture" or i.shape[3] == 3 for i in m.inputs):
            model["build"] = {
                "mean": [list(b.mean) if b else None for b in builds], "std": [list(b.std) if b else None for b in builds],
            }  # fmt: skip
            if len(rows) == 1 and builds[0] is not None and m.maybe():
                model["training"] = {"color": "RGB", **builds[0].training}
    body: Body = {"runtime": "rknn1" if m.kind == "rknn1" else "rknn", "platform": m.platform, "model": model}
    version = m.some(*VERSIONS) if m.kind != "rknn1" else m.some("1.7.3", "1.7.5", None)
    if version:
        body["version"] = version
        if m.maybe(0.3):
            model["toolkit"] = version
    if m.maybe(0.3) and m.chip is not None:
        model["platforms"] = [m.platform]
    body |= {"buffers": m.buffers, "calls": m.calls, **m.plan}
    return body
