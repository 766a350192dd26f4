"""How the models of tests/data/models/mnn were made: data only, for build_mnn_models.py.

Weights come from one stream, `numpy.random.RandomState(0).randn`, times 0.1 (biases as they are): a graph names the place
in the stream at which its weights begin. The TensorFlow graph has `RandomState(7)` of its own.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Graph:
    """One network. `kind` is the function of build_mnn_models.py that writes it, `shape` the (first) input's dims."""

    kind: str
    first: int
    """Place of the first weight in the stream."""
    shape: tuple[int, ...]
    type: str = "FLOAT"
    """ONNX element type of the input."""
    metadata: tuple[tuple[str, str], ...] = ()
    """`metadata_props` of the ONNX file."""


@dataclass(frozen=True)
class Recipe:
    """One file: the network, the converter's options, and what is done to it afterwards."""

    graph: str
    options: tuple[str, ...] = ()
    after: str = ""
    """`calibrate` (mnnquant) or `strip` (the convolution's weights are taken out, through JSON)."""


GRAPHS = {
    "c1": Graph("classifier", 0, (1, 1, 8, 10)),
    "c3": Graph("classifier", 40, (1, 3, 8, 10)),
    "c4": Graph("classifier", 152, (1, 4, 8, 10)),
    "c5": Graph("classifier", 300, (1, 5, 8, 10)),
    "dynbatch": Graph("classifier", 596, (-1, 3, 8, 10)),
    "dynhw": Graph("classifier", 708, (1, 3, -1, -1)),
    "u8c3": Graph("classifier", 820, (1, 3, 8, 10), "UINT8"),
    "i8c3": Graph("classifier", 932, (1, 3, 8, 10), "INT8"),
    "i64c3": Graph("classifier", 1044, (1, 3, 8, 10), "INT64"),
    "b2c12": Graph("classifier", 0, (2, 12, 6, 5)),
    "meta": Graph(
        "classifier", 40, (1, 3, 8, 10), metadata=(("stride", "32"), ("names", "{0:'cat'}"), ("imgsz", "[8, 10]"))
    ),
    "nhwc": Graph("turned", 1492, (1, 8, 10, 3)),
    "multi": Graph("three_inputs", 1664, (1, 3, 8, 8)),
    "wide": Graph("pooled", 589_824, (1, 64, 4, 4)),
    "conv": Graph("convolution", 0, (1, 3, 8, 10)),
    "patch": Graph("patches", 0, (1, 3, 256, 256)),
    "tf": Graph("tensorflow", 0, (1, 8, 10, 3)),
}

FREE = ("--keepInputFormat=0",)

RECIPES = {
    "c3_nchw": Recipe("c3"),
    "c3_nc4hw4": Recipe("c3", FREE),
    "c3_bareflag": Recipe("c3", ("--keepInputFormat",)),
    "c1_nc4hw4": Recipe("c1", FREE),
    "c4_nchw": Recipe("c4"),
    "c5_nc4hw4": Recipe("c5", FREE),
    "b2c12_nc4hw4": Recipe("b2c12", FREE),
    "multi_nchw": Recipe("multi"),
    "dynhw_nchw": Recipe("dynhw"),
    "dynbatch_b4": Recipe("dynbatch", ("--batch", "4")),
    "u8c3_nchw": Recipe("u8c3"),
    "i8c3_nchw": Recipe("i8c3"),
    "i64_to_i32_nchw": Recipe("i64c3"),
    "onnx_nhwc_dims": Recipe("nhwc"),
    "tf_nhwc": Recipe("tf"),
    "tf_nc4hw4": Recipe("tf", FREE),
    "c3_int8_calibrated": Recipe("c3", after="calibrate"),
    "c3_weightquant8": Recipe("c3", ("--weightQuantBits", "8")),
    "c3_fp16": Recipe("c3", ("--fp16",)),
    "extweight": Recipe("wide", ("--saveExternalData",)),
    "meta": Recipe("meta"),
    "convout_nc4hw4": Recipe("conv", FREE),
    "patch16_noweights": Recipe("patch", after="strip"),
}
