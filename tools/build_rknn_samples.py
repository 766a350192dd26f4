#!/usr/bin/env python3
"""Build the sample model of samples/03_rv1106_zero_copy with rknn-toolkit2 (an environment of its own, see README).

    PYTHON_WITH_RKNN tools/build_rknn_samples.py [FOLDER]

A classifier of two classes, 1x3x400x800, int8, for rv1106, without mean/std: zero point -128, scale 1.0, as in the
situation that the sample tells. The file is committed, so that the toolkit is not needed to run anything.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from PIL import Image
from rknn.api import RKNN

ROOT = Path(__file__).resolve().parents[1]
SHAPE = (1, 3, 400, 800)


def network(path: Path) -> None:
    """Three strided convolutions, a global average and a linear layer; fixed random weights."""
    rng = np.random.default_rng(11)
    widths = [3, 8, 8, 8]
    nodes, weights, last = [], [], "input"
    for i, (c_in, c_out) in enumerate(pairwise(widths)):
        w = rng.normal(0, (2.0 / (c_in * 9)) ** 0.5, (c_out, c_in, 3, 3)).astype(np.float32)
        weights.append(numpy_helper.from_array(w, f"w{i}"))
        nodes.append(
            helper.make_node("Conv", [last, f"w{i}"], [f"c{i}"], kernel_shape=[3, 3], strides=[4, 4], pads=[1] * 4)
        )
        nodes.append(helper.make_node("Relu", [f"c{i}"], [f"r{i}"]))
        last = f"r{i}"
    weights.append(numpy_helper.from_array(rng.normal(0, 0.05, (2, 8, 1, 1)).astype(np.float32), "head"))
    nodes.append(helper.make_node("GlobalAveragePool", [last], ["pooled"]))
    nodes.append(helper.make_node("Conv", ["pooled", "head"], ["scores"], kernel_shape=[1, 1]))
    nodes.append(helper.make_node("Flatten", ["scores"], ["output"]))
    graph = helper.make_graph(
        nodes, "two_classes", [helper.make_tensor_value_info("input", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, (1, 2))], weights,
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 12)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def main() -> int:
    """Build into FOLDER (default: the sample's own)."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "samples" / "03_rv1106_zero_copy"
    rng = np.random.default_rng(12)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        network(work / "net.onnx")
        lines = []
        for i in range(4):
            pixels = rng.integers(0, 256, (400, 800, 3), dtype=np.uint8)
            pixels[0, 0], pixels[0, 1] = 0, 255
            Image.fromarray(pixels).save(work / f"{i}.png")
            lines.append(f"{work}/{i}.png")
        (work / "dataset.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        rknn = RKNN(verbose=False)
        rknn.config(target_platform="rv1106")
        for step in (
            lambda: rknn.load_onnx(str(work / "net.onnx")),
            lambda: rknn.build(do_quantization=True, dataset=str(work / "dataset.txt")),
            lambda: rknn.export_rknn(str(folder / "model.rknn")),
        ):
            if step() != 0:
                return 1
        rknn.release()
    return 0


if __name__ == "__main__":
    sys.exit(main())
