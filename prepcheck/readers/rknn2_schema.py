"""Slot numbers and type numbers of the RKNN2 flatbuffer.

Root: 0 format level, 1 NPU tag, 2 graphs (more than one = dynamic shapes, the first is the largest), 3 generator text.
Graph: 0 tensors, 1 nodes, 2 input numbers, 3 output numbers, 4 normalisation tables (0 mean, 1 std, 2 reorder).
Tensor: 0 type, 1 layout, 2 kind (1 input, 2 output, 3 intermediate, 4 and 5 constant), 3 native dims, 4 dims, 5 name.
The others differ between full and mini containers: `Slots`.
Source: measured on models of rknn-toolkit2 1.1.0 to 2.5.0 against what librknnrt 1.5.2 and librknnmrt 2.3.2 answer to
rknn_query.
"""

from __future__ import annotations

from typing import Final

from prepcheck.records import dataclass

DTYPES: Final[dict[int, str]] = {
    1: "float32",
    2: "uint8",
    3: "int8",
    4: "uint16",
    5: "int16",
    6: "int32",
    7: "int64",
    9: "bool",
    10: "float16",
    11: "float64",
    12: "uint32",
    13: "uint64",
    16: "bfloat16",
}
"""Type byte of a tensor → dtype: the numbers of ONNX's TensorProto.DataType (measured on 13 types' worth of tensors:
int8 models' biases are 6 and four bytes wide; 4, 11, 12, 16 were not seen and are taken from ONNX)."""
INT4_WEIGHTS: Final = 64
"""Type byte of the weights of a w4a16 build (measured on one model of rknn-toolkit2 2.5.0, rk3576)."""


@dataclass(frozen=True, slots=True)
class Slots:
    """Slot numbers that differ between the two kinds of container; None where the kind has no such field.

    Root: compiler, build, target, origin, custom_string, input_json, output_json, batch, shapes, custom_op.
    Tensor: minimum, maximum, scale, zero_point, nbytes, alignment (an i32 of pixels), strided (present or not).
    """

    compiler: int
    build: int
    target: int
    origin: int
    custom_string: int
    input_json: int | None
    output_json: int | None
    batch: int | None
    shapes: int | None
    custom_op: int | None
    minimum: int | None
    maximum: int | None
    scale: int
    zero_point: int
    nbytes: int
    alignment: int | None
    strided: int


FULL: Final = Slots(6, 7, 8, 9, 11, 12, 13, 14, 16, 21, 8, 9, 10, 11, 12, 20, 20)
MINI: Final = Slots(4, 5, 6, 7, 8, None, None, None, None, None, None, None, 6, 7, 8, None, 12)
