"""Numbers of TensorFlow Lite's flatbuffer schemas: the model's and that of its metadata.

Sources: tensorflow/lite/schema/schema.fbs; tflite-support metadata/metadata_schema.fbs (identifier M001). Slots are counted
in the order of the schema; a union takes two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from prepcheck.contract.base import Dtype

DTYPES: Final[dict[int, Dtype]] = {
    0: "float32", 1: "float16", 2: "int32", 3: "uint8", 4: "int64", 6: "bool", 7: "int16", 9: "int8", 10: "float64",
    12: "uint64", 15: "uint32", 16: "uint16", 17: "int4", 18: "bfloat16",
}  # fmt: skip
"""TensorType → our name; text (5), complex (8, 11), resources (13, 14) have none."""


class Model:
    """Slots of the root table."""

    VERSION: Final = 0
    OPERATOR_CODES: Final = 1
    SUBGRAPHS: Final = 2
    DESCRIPTION: Final = 3
    BUFFERS: Final = 4
    METADATA: Final = 6
    SIGNATURES: Final = 7


class SubGraph:
    """Slots of a subgraph."""

    TENSORS: Final = 0
    INPUTS: Final = 1
    OUTPUTS: Final = 2
    OPERATORS: Final = 3


class TensorSlot:
    """Slots of a tensor and of its quantisation."""

    SHAPE: Final = 0
    TYPE: Final = 1
    NAME: Final = 3
    QUANTIZATION: Final = 4
    SIGNATURE: Final = 7
    SCALE: Final = 2
    ZERO_POINT: Final = 3
    AXIS: Final = 6


ON_NHWC: Final = frozenset({1, 3, 4, 5, 13, 17, 23, 26, 37, 38, 67, 97})
"""AVERAGE_POOL_2D 1, CONV_2D 3, DEPTHWISE_CONV_2D 4, DEPTH_TO_SPACE 5, LOCAL_RESPONSE_NORMALIZATION 13, MAX_POOL_2D 17,
RESIZE_BILINEAR 23, SPACE_TO_DEPTH 26, BATCH_TO_SPACE_ND 37, SPACE_TO_BATCH_ND 38, TRANSPOSE_CONV 67, RESIZE_NEAREST_NEIGHBOR 97:
their input is N, H, W, C by definition."""

SAME: Final = frozenset({0, 6, 18, 19, 21, 34, 41, 42, 53, 60, 114})
"""ADD 0, DEQUANTIZE 6, MUL 18, RELU 19, RELU6 21, PAD 34, SUB 41, DIV 42, CAST 53, PADV2 60, QUANTIZE 114: axes stay."""

TRANSPOSE: Final = 39
