"""Numbers of MNN's schema a second time: MNN.fbs, CaffeOp.fbs, Tensor.fbs and Type.fbs of 3.x."""

from __future__ import annotations

from prepcheck.readers import mnn_schema as schema
from prepcheck.readers.mnn_schema import OP_NAMES, Describe, Main, Op, OpType, op_name


def constants(kind: type) -> dict[str, object]:
    return {name: value for name, value in vars(kind).items() if name.isupper()}


def test_numbers_of_operators_by_their_names() -> None:
    """Where each run of names in enum OpType begins and ends; what lies between is numbered on."""
    borders = {
        0: "AbsVal", 12: "Convolution", 34: "Input", 73: "Reshape", 75: "RNN", 88: "Col2Im", 101: "UnaryOp", 112: "Pooling3D", 121: "Dilation2D", 122: "Interp3D",
        128: "Raster", 129: "ConvertTensor", 156: "Stft", 256: "Plugin", 259: "Broastcast", 269: "ZeroGrad", 299: "Attention",
        306: "RoPE", 512: "Extra", 513: "ConvInt8", 518: "EltwiseInt8", 600: "While", 601: "If", 603: "LayerNorm",
        604: "GridSample",
    }  # fmt: skip
    assert {number: OP_NAMES[number] for number in borders} == borders
    runs = [*range(123), *range(128, 157), *range(256, 270), *range(299, 307), *range(512, 519), 600, 601, 603, 604]
    assert sorted(OP_NAMES) == runs
    assert len(set(OP_NAMES.values())) == len(OP_NAMES)
    assert all(name.isalnum() and name[0].isupper() for name in OP_NAMES.values())
    assert (op_name(12), op_name(123)) == ("Convolution", "op 123")


def test_operators_that_are_looked_at_are_those_of_the_list() -> None:
    spelled = {
        "BINARY": "BinaryOp", "UNARY": "UnaryOp", "MAT_MUL": "MatMul", "BATCH_MAT_MUL": "BatchMatMul", "POOLING_3D": "Pooling3D",
        "CONVERT_TENSOR": "ConvertTensor", "TRAINABLE_PARAM": "TrainableParam", "CONV_INT8": "ConvInt8", "POOL_INT8": "PoolInt8",
        "DEPTHWISE_CONV_INT8": "DepthwiseConvInt8", "CONVOLUTION_DEPTHWISE": "ConvolutionDepthwise",
        "DECONVOLUTION_DEPTHWISE": "DeconvolutionDepthwise",
    }  # fmt: skip
    for name, number in constants(OpType).items():
        assert isinstance(number, int)
        assert OP_NAMES[number] == spelled.get(name, name.title()), name
    assert {OP_NAMES[n] for n in schema.INT8_OPS} == {
        "ConvInt8", "Int8ToFloat", "DepthwiseConvInt8", "PoolInt8", "FloatToInt8", "EltwiseInt8",
    }  # fmt: skip


def test_slots_and_members_of_unions() -> None:
    assert constants(Op) == {
        "INPUTS": 0, "MAIN_TYPE": 1, "MAIN": 2, "NAME": 3, "OUTPUTS": 4, "TYPE": 5, "EXTERNAL_PATH": 7,
    }  # fmt: skip
    assert constants(Describe) == {"BLOB": 0, "INDEX": 1, "QUANT": 4}
    assert constants(Main) == {
        "AXIS": 4, "BLOB": 7, "CONVOLUTION_2D": 9, "FLATTEN": 17, "INPUT": 21, "MAT_MUL": 25, "PERMUTE": 29, "POOL": 31,
        "REDUCTION": 50, "RESHAPE": 55, "SCALE": 58, "SLICE": 61, "SQUEEZE": 64, "TENSOR_CONVERT": 66, "BATCH_MAT_MUL": 73,
        "EXTRA": 78, "POOL_3D": 79, "CONVOLUTION_3D": 80, "LAYER_NORM": 88, "GROUP_NORM": 95,
    }  # fmt: skip
    assert schema.EXTERNAL_SLOT == {7: 9, 9: 6, 58: 3, 80: 3, 88: 5, 95: 6}


def test_types_formats_and_origins() -> None:
    assert schema.DATA_TYPES == {
        1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 9: "int64", 10: "bool", 11: "int8",
        12: "uint8", 13: "int32", 14: "bfloat16", 15: "int16", 16: "uint16", 17: "uint16", 19: "float16",
    }  # fmt: skip
    assert schema.RUNTIME_TYPES == {"float64": "float32", "int64": "int32", "bool": "int32"}
    assert schema.DATA_FORMATS == {0: "NCHW", 1: "NHWC", 2: "NC4HW4", 3: "UNDEFINED", 4: "UNDEFINED"}
    assert schema.SOURCES == {0: "CAFFE", 1: "TENSORFLOW", 2: "TFLITE", 3: "ONNX", 4: "TORCH"}
    assert (schema.DEFAULT_DATA_TYPE, schema.DEFAULT_DATA_FORMAT) == (1, 2)
    assert (schema.USAGE_TRAIN, schema.USAGE_STATIC) == (1, 2)
