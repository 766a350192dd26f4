"""The closed list of what `Tensor.provenance` can say."""

from __future__ import annotations

import importlib

from prepcheck.readers import provenance

RULES = {
    "rule:QT-RANGE": "value range = (smallest code − zero point)·scale … (largest code − zero point)·scale",
    "rule:SZ-PACKED": "size = product of the shape × bytes of the type, without padding",
    "rule:RK-NHWC-REPORTED": "rknn_query reports 4-D inputs as NHWC, others as UNDEFINED (measured: librknnmrt 2.3.2)",
    "rule:RK-NCHW-OUTPUT": "rknn_query reports 4-D outputs as NCHW, others as UNDEFINED (measured: librknnrt 1.5.2)",
    "rule:RK-WSTRIDE": "rows of a native NHWC input: 8 bytes on rk3566/68, 16 on others (core.rockchip.width_alignment)",
    "rule:RK-WSTRIDE-NONE": "no row padding: not native NHWC, or no alignment stored (measured: librknnrt 1.5.2)",
    "rule:RK-OUT-WSTRIDE": "rknn_query reports w_stride 0 for outputs (measured: librknnrt 1.5.2, librknnmrt 2.3.2)",
    "rule:RK-MINI-SIZE": "mini: size_with_stride = size unless the input is native NHWC (measured: librknnmrt 2.3.2)",
    "rule:RK-NATIVE-SIZE": "bytes of the native shape (measured: librknnrt 1.5.2)",
    "rule:RK-SOURCE-NCHW": "the converter takes every 4-D tensor of the original network for NCHW",
    "rule:RK1-REVERSED": "RKNN1 stores shapes fastest axis first; input_fmt says which axes they are",
    "rule:RK1-DFP": "dynamic fixed point: value = code·2^−fl, so scale = 2^−fl and zero point = 0",
    "rule:RK1-M0M1M2S": "toolkit 1.3 and older: the mean list ends with one std for all channels",
    "rule:MN-INPUT-DEFAULTS": "an Input without the field is float32, NC4HW4 (schema defaults; old converters omit both)",
    "rule:MN-SESSION-TYPE": "a session holds int32 for int64 and bool, float32 for float64 (MNN Tensor::setType)",
    "rule:MN-OUTPUT-UNREAD": "no outputs are listed: those are the tensors that no operator reads (MNN InitNet)",
    "rule:MN-BATCH-ONE": "a first axis of -1 runs as batch 1 (MNN InitNet)",
    "rule:MN-QUANT-RANGE": "value range = (min − zero)·scale … (max − zero)·scale of the calibration (TensorQuantInfo)",
    "rule:ON-AXES": "the operators that first read the input take N, C, H, W by definition (onnx/docs/Operators.md)",
    "rule:ON-TRANSPOSE": "the first operator turns the axes from N, H, W, C to N, C, H, W",
    "rule:ON-BATCH-ONE": "an open first axis is judged for a run of one picture",
    "rule:TF-AXES": "the operators that first read the input take N, H, W, C by definition (tensorflow/lite schema)",
}


def test_the_list_of_rules_is_closed() -> None:
    """A script that reads a contract may rely on every one of these names. (Read again: nothing but a table is there.)"""
    table = importlib.reload(provenance)
    assert table.FILE == "file"
    assert table.RULES == RULES
