"""Numbers of MNN's flatbuffer schema: slots, unions, element types, layouts, operators.

Sources: alibaba/MNN schema/default/{MNN,CaffeOp,Tensor,Type,TensorflowOp,UserDefine,ExtraInfo}.fbs; measured: the
converter's own JSON dump (MNN 3.6.1) of 23 models of that version and 3 older benchmark models, and of a file with one
operator of each type number from 0 to 999. A .mnn file has neither a magic number nor a flatbuffer identifier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from prepcheck.contract.base import Dtype, Layout


class Net:
    """Slots of the root table. Slot 2 held a GPU library in files of the first versions."""

    BIZ_CODE: Final = 0
    TENSOR_DESCRIBE: Final = 1
    EXTRA_INFO: Final = 2
    OPLISTS: Final = 3
    OUTPUT_NAME: Final = 4
    SOURCE_TYPE: Final = 6
    TENSOR_NAME: Final = 7
    USAGE: Final = 9
    SUBGRAPHS: Final = 10
    UUID: Final = 11
    REFERENCES: Final = (0, 1, 2, 3, 4, 7, 10, 11)
    """Slots that hold a reference (a string, a vector or a table)."""
    STRINGS: Final = (0, 11)


class Describe:
    """Slots of TensorDescribe."""

    BLOB: Final = 0
    INDEX: Final = 1
    QUANT: Final = 4


class Op:
    """Slots of an operator. The union takes two: its type and the table."""

    INPUTS: Final = 0
    MAIN_TYPE: Final = 1
    MAIN: Final = 2
    NAME: Final = 3
    OUTPUTS: Final = 4
    TYPE: Final = 5
    EXTERNAL_PATH: Final = 7


class Main:
    """Numbers of the union OpParameter, those that are read here."""

    AXIS: Final = 4
    BLOB: Final = 7
    CONVOLUTION_2D: Final = 9
    FLATTEN: Final = 17
    INPUT: Final = 21
    MAT_MUL: Final = 25
    PERMUTE: Final = 29
    POOL: Final = 31
    REDUCTION: Final = 50
    RESHAPE: Final = 55
    SCALE: Final = 58
    SLICE: Final = 61
    SQUEEZE: Final = 64
    TENSOR_CONVERT: Final = 66
    BATCH_MAT_MUL: Final = 73
    EXTRA: Final = 78
    POOL_3D: Final = 79
    CONVOLUTION_3D: Final = 80
    LAYER_NORM: Final = 88
    GROUP_NORM: Final = 95


EXTERNAL_SLOT: Final = {
    Main.BLOB: 9,
    Main.CONVOLUTION_2D: 6,
    Main.SCALE: 3,
    Main.CONVOLUTION_3D: 3,
    Main.LAYER_NORM: 5,
    Main.GROUP_NORM: 6,
}
"""Slot of `external:[int64]` ([offset, bytes, …]) in the tables that may keep their numbers in the .weight file."""

DATA_TYPES: Final[dict[int, Dtype]] = {
    1: "float32",
    2: "float64",
    3: "int32",
    4: "uint8",
    5: "int16",
    6: "int8",
    9: "int64",
    10: "bool",
    11: "int8",
    12: "uint8",
    13: "int32",
    14: "bfloat16",
    15: "int16",
    16: "uint16",
    17: "uint16",
    19: "float16",
}
"""DataType → name. 11, 12, 13, 15 and 16 are the Q types, stored like their plain ones. Source: Type.fbs."""

RUNTIME_TYPES: Final[dict[Dtype, Dtype]] = {"float64": "float32", "int64": "int32", "bool": "int32"}
"""What a session holds instead of a file's element type. Source: MNN Tensor::setType; measured for the types that the
converter writes (it writes int32 for int64 and bool inputs already)."""

DATA_FORMATS: Final[dict[int, Layout]] = {0: "NCHW", 1: "NHWC", 2: "NC4HW4", 3: "UNDEFINED", 4: "UNDEFINED"}
"""MNN_DATA_FORMAT → layout; 3 is NHWC4 (in no file seen), 4 unknown. Source: Tensor.fbs."""

DEFAULT_DATA_TYPE: Final = 1
DEFAULT_DATA_FORMAT: Final = 2
"""What an Input without the field means: float32, NC4HW4 (old converters omit both). Source: CaffeOp.fbs, table Input."""

SOURCES: Final = {0: "CAFFE", 1: "TENSORFLOW", 2: "TFLITE", 3: "ONNX", 4: "TORCH"}
"""NetSource. Source: Type.fbs; 4 measured with the converter of 3.6.1."""

USAGE_TRAIN: Final = 1
USAGE_STATIC: Final = 2
"""Usage of a net made with --saveStaticModel: shapes are frozen. Source: MNN.fbs."""

_FIRST: Final = (
    "AbsVal QuantizedAdd ArgMax AsString InstanceNorm BatchToSpaceND Copy BinaryOp Bnll Cast Concat Const Convolution "
    "ConvolutionDepthwise Crop CropAndResize ImageProcess Deconvolution DeconvolutionDepthwise Dequantize "
    "DetectionOutput Dropout Eltwise ELU Unique Exp ExpandDims Fill Flatten Im2Col Gather GatherV2 Im2Seq InnerProduct "
    "Input Interp Log LRN LSTM MatMul MoE NonMaxSuppression NonMaxSuppressionV2 Normalize Pack Padding Permute Pooling "
    "Power PReLU PriorBox Proposal QuantizedAvgPool QuantizedBiasAdd QuantizedConcat QuantizedDepthwiseConv2D "
    "QuantizedLogistic RasterAndInterpolate QuantizedMaxPool Texture RasterDiff QuantizedReshape QuantizedSoftmax "
    "QuantizeMaxMin QuantizeV2 Range Rank ReduceJoin Reduction ReLU ReLU6 RequantizationRange Requantize Reshape Resize "
    "RNN ROIPooling Scale Selu Seq2Out Shape Sigmoid Size Slice SliceTf Softmax SpaceToBatchND SpatialProduct Col2Im "
    "Segment Squeeze StridedSlice CastLike StringSplit StringToNumber TanH TfQuantizedConv2D Threshold Tile TopKV2 "
    "Transpose UnaryOp Unpack Where Moments RNNSequenceGRU BatchMatMul Unsqueeze CosineSimilarity DepthToSpace "
    "SpaceToDepth ReverseSequence Pooling3D Convolution3D MatrixBandPart GatherND DetectionPostProcess UnravelIndex "
    "ScatterNd OneHot BroadcastTo Dilation2D Interp3D"
)
_FROM_128: Final = (
    "Raster ConvertTensor ArgMin LinSpace RandomUniform TensorArray TensorArraySize TensorArrayRead TensorArrayWrite "
    "TensorArrayGather TensorArrayScatter TensorArraySplit TensorArrayConcat LSTMBlockCell Reverse ROIAlign RandomNormal "
    "TensorArrayInsert TensorArrayErase EyeLike CumSum Det CumProd ScatterElements GatherElements Svd Histogram DynamicQuant "
    "Stft"
)
_FROM_256: Final = (
    "Plugin Select ZerosLike Broastcast SetDiff1D ReluGrad Identity PoolGrad SoftmaxGrad Conv2DBackPropFilter "
    "TrainableParam BatchNorm ConvTranspose3D ZeroGrad"
)
_FROM_299: Final = "Attention FmhaV2 Fmhca SeqLen2Spatial SplitGeLU GroupNorm LinearAttention RoPE"
_FROM_512: Final = "Extra ConvInt8 Int8ToFloat DepthwiseConvInt8 PoolInt8 FloatToInt8 EltwiseInt8"
OP_NAMES: Final[dict[int, str]] = (
    dict(enumerate(_FIRST.split()))
    | dict(enumerate(_FROM_128.split(), 128))
    | dict(enumerate(_FROM_256.split(), 256))
    | dict(enumerate(_FROM_299.split(), 299))
    | dict(enumerate(_FROM_512.split(), 512))
    | {600: "While", 601: "If", 603: "LayerNorm", 604: "GridSample"}
)
"""OpType → name, as MNN 3.6.1 spells it (Broastcast included). Older versions: 40 was MVN, 92 StringJoin, 6 Bias, 24
Embed, 29 FloorMod, 88 Split. 516 is in older schemas only."""


class OpType:
    """Operators that are looked at."""

    BINARY: Final = 7
    CAST: Final = 9
    CONCAT: Final = 10
    CONST: Final = 11
    CONVOLUTION: Final = 12
    CONVOLUTION_DEPTHWISE: Final = 13
    DECONVOLUTION: Final = 17
    DECONVOLUTION_DEPTHWISE: Final = 18
    ELTWISE: Final = 22
    FLATTEN: Final = 28
    INPUT: Final = 34
    MAT_MUL: Final = 39
    PERMUTE: Final = 46
    POOLING: Final = 47
    REDUCTION: Final = 68
    RESHAPE: Final = 73
    SLICE: Final = 83
    SQUEEZE: Final = 90
    UNARY: Final = 101
    BATCH_MAT_MUL: Final = 106
    UNSQUEEZE: Final = 107
    POOLING_3D: Final = 112
    CONVERT_TENSOR: Final = 129
    TRAINABLE_PARAM: Final = 266
    CONV_INT8: Final = 513
    POOL_INT8: Final = 516
    DEPTHWISE_CONV_INT8: Final = 515


INT8_OPS: Final = frozenset({513, 514, 515, 516, 517, 518})
"""Operators that only a model with quantised activations has."""


def op_name(number: int) -> str:
    """Name of an operator type, or `op 999` for one that is not known."""
    return OP_NAMES.get(number, f"op {number}")
