"""Numbers of ONNX's protobuf schema, and what operators say of the order of axes.

Source: onnx/onnx.proto3 (field numbers, TensorProto.DataType); onnx/docs/Operators.md: Conv, pooling, BatchNormalization,
InstanceNormalization, LRN and GlobalPool take N x C x D1 x D2 by definition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from prepcheck.contract.base import Dtype

DTYPES: Final[dict[int, Dtype]] = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16",
    11: "float64", 12: "uint32", 13: "uint64", 16: "bfloat16", 22: "int4",
}  # fmt: skip
"""TensorProto.DataType → our name; text (8), complex (14, 15), 8-bit floats (17 to 20) and uint4 (21) have none."""

CHANNELS_FIRST: Final = frozenset({
    "Conv", "ConvTranspose", "ConvInteger", "QLinearConv", "DeformConv", "MaxPool", "AveragePool", "LpPool", "GlobalMaxPool",
    "GlobalAveragePool", "BatchNormalization", "InstanceNormalization", "LRN", "MaxRoiPool", "SpaceToDepth", "DepthToSpace",
    "GroupNormalization", "GridSample", "RoiAlign",
})  # fmt: skip
"""Operators whose first input is N, C, H, W by definition."""

SAME_AXES: Final = frozenset({
    "Cast", "Identity", "Sub", "Add", "Mul", "Div", "Clip", "Relu", "LeakyRelu", "PRelu", "Sigmoid", "HardSigmoid", "Neg",
    "Abs", "Sqrt", "Pow", "QuantizeLinear", "DequantizeLinear", "Pad", "Resize", "Upsample", "Dropout", "Slice", "CastLike",
    "HardSwish", "Tanh", "Exp", "Log", "BitShift", "DynamicQuantizeLinear", "Concat", "Split",
})  # fmt: skip
"""Operators that leave the axes where they are."""

QUANTIZED: Final = frozenset({
    "QuantizeLinear", "DequantizeLinear", "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger", "DynamicQuantizeLinear",
})  # fmt: skip
