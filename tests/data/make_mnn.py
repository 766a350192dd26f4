"""Rebuilds tests/data/models/mnn_extra: models for which the converter's common path is not enough.

Needs onnx (in one environment or another) and MNN's converter module `_tools` (part of the MNN package; MNN.tools is not
imported, because it installs packages and calls out to the network). Two steps, because both need not be in one place:

    python make_mnn.py onnx WORK      # writes WORK/*.onnx
    python make_mnn.py convert WORK   # converts them into models/mnn_extra
"""

from __future__ import annotations

import pathlib
import sys

TARGET = pathlib.Path(__file__).parent / "models" / "mnn_extra"
OPTIONS: dict[str, list[str]] = {
    "ops": [],
    "ops_nc4hw4": ["--keepInputFormat=0"],
    "mixed": ["--keepInputFormat=0"],
    "static": ["--saveStaticModel"],
    "external": ["--saveExternalData"],
    "auth": ["--authCode", "issued to nobody"],
}
"""Model → options of the converter. `ops` and `ops_nc4hw4` come from the same ONNX file."""


def write_onnx(work: pathlib.Path) -> None:
    """The networks, with weights from a fixed seed."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(7)
    constants: list[onnx.TensorProto] = []

    def number(name: str, *shape: int) -> str:
        constants.append(numpy_helper.from_array((rng.standard_normal(shape) / 8).astype(np.float32), name))
        return name

    def whole(name: str, *values: int) -> str:
        constants.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def save(name: str, nodes: list[onnx.NodeProto], inputs: list[onnx.ValueInfoProto], outputs: list[str]) -> None:
        results = [helper.make_tensor_value_info(o, TensorProto.FLOAT, None) for o in outputs]
        used = {i for n in nodes for i in n.input}
        graph = helper.make_graph(nodes, name, inputs, results, [c for c in constants if c.name in used])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
        onnx.checker.check_model(model)
        onnx.save(model, work / f"{name}.onnx")

    node = helper.make_node
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 33, 47])
    ops = [
        node("Conv", ["image", number("w0", 8, 3, 3, 5)], ["a"], name="uneven", strides=[2, 1], pads=[0, 1, 2, 3]),
        node("Conv", ["a", number("w1", 8, 1, 3, 3)], ["b"], name="depthwise", group=8, pads=[1, 1, 1, 1]),
        node("Conv", ["b", number("w2", 12, 4, 3, 3)], ["c"], name="grouped", group=2, dilations=[2, 1]),
        node("Relu", ["c"], ["d"], name="relu"),
        node("MaxPool", ["d"], ["e"], name="ceil", kernel_shape=[3, 2], strides=[2, 2], ceil_mode=1),
        node("AveragePool", ["e"], ["f"], name="average", kernel_shape=[2, 2], strides=[1, 1], pads=[1, 0, 0, 1]),
        node(
            "ConvTranspose", ["f", number("w3", 12, 6, 2, 3)], ["g"], name="up", strides=[2, 2], output_padding=[1, 1]
        ),
        node("Conv", ["g", number("w4", 40, 6, 3, 3)], ["h"], name="wide", pads=[1, 1, 1, 1]),
        node("Conv", ["h", number("w5", 40, 40, 3, 3)], ["i"], name="winograd", pads=[1, 1, 1, 1]),
        node("Concat", ["h", "i"], ["j"], name="both", axis=-3),
        node("ReduceMean", ["j"], ["k"], name="mean", axes=[-1, 2], keepdims=0),
        node("Unsqueeze", ["k", whole("s0", 2)], ["l"], name="put"),
        node("Transpose", ["l"], ["l0"], name="turn", perm=[0, 2, 1]),
        node("MatMul", ["l0", "l"], ["m"], name="product"),
        node("Add", ["m", number("w6", 80)], ["m1"], name="plus"),
        node("Squeeze", ["m1", whole("s1", 0)], ["n"], name="drop"),
        node("Flatten", ["i"], ["o"], name="flat", axis=2),
        node("Reshape", ["h", whole("s2", 0, 4, 10, -1)], ["p"], name="shape"),
        node("GlobalAveragePool", ["i"], ["q"], name="global"),
    ]
    save("ops", ops, [image], ["n", "o", "p", "q"])
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, [1, 4])
    save(
        "mixed",
        [
            node("Conv", ["image", number("w7", 4, 3, 3, 3)], ["x"], name="conv"),
            node("GlobalAveragePool", ["x"], ["y"], name="pool"),
            node("Flatten", ["y"], ["z"], name="flat"),
            node("Cast", ["ids"], ["i32"], name="cast", to=TensorProto.FLOAT),
            node("Add", ["z", "i32"], ["out"], name="sum"),
        ],
        [image, ids],
        ["out"],
    )
    small = [node("Conv", ["image", number("w8", 4, 3, 3, 3)], ["out"], name="conv")]
    for name in ("static", "external", "auth"):
        save(name, small, [image], ["out"])


def convert(work: pathlib.Path) -> None:
    """Convert every network with its options. Sizes of the results are small; look at them before committing."""
    import _tools  # type: ignore[import-not-found]

    TARGET.mkdir(parents=True, exist_ok=True)
    for name, options in OPTIONS.items():
        source = work / ("ops.onnx" if name.startswith("ops") else f"{name}.onnx")
        base = ["MNNConvert", "-f", "ONNX", "--bizCode", "test", "--modelFile", str(source)]
        _tools.mnnconvert([*base, "--MNNModel", str(TARGET / f"{name}.mnn"), *options])


if __name__ == "__main__":
    {"onnx": write_onnx, "convert": convert}[sys.argv[1]](pathlib.Path(sys.argv[2]))
