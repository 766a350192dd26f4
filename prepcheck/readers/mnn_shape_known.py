"""What is known of a .mnn's tensors while their shapes are worked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from prepcheck.readers.mnn_graph import GraphOp, Shape
from prepcheck.readers.mnn_net import MnnNet

MAX_RANK: Final = 9
"""MNN_MAX_TENSOR_DIM. Source: MNN core/TensorUtils.hpp."""
MAX_CONST: Final = 64
"""Elements of a constant that can be a shape, and of a list of axes."""


class Known:
    """Shapes and small integer constants, by tensor number."""

    __slots__ = ("inputs", "net", "numbers", "shapes")

    def __init__(self, net: MnnNet, inputs: Mapping[str, Sequence[int]]) -> None:
        self.net = net
        self.inputs = inputs
        self.shapes: dict[int, Shape] = {}
        self.numbers: dict[int, tuple[int, ...]] = {}

    def put(self, number: int, shape: Shape | None) -> None:
        """Keep a shape where it is one that MNN can hold."""
        if shape is not None and len(shape.axes) <= MAX_RANK and all(0 < d < 1 << 31 for d in shape.axes):
            self.shapes[number] = shape

    def first(self, op: GraphOp) -> Shape | None:
        """Shape of the first tensor that an operator reads."""
        return self.shapes.get(op.inputs[0]) if op.inputs else None
