"""Makes tiny.onnx (1x3x32x48, float) and dataset.txt with four calibration pictures in the folder given. Needs onnx."""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def main(folder: Path) -> None:
    rng = np.random.default_rng(0)

    def weights(name, shape, scale):
        return numpy_helper.from_array((rng.standard_normal(shape) * scale).astype(np.float32), name)

    nodes = [
        helper.make_node("Conv", ["images", "w", "b"], ["a"], pads=[1, 1, 1, 1], strides=[2, 2]),
        helper.make_node("Relu", ["a"], ["r"]),
        helper.make_node("GlobalAveragePool", ["r"], ["g"]),
        helper.make_node("Flatten", ["g"], ["f"]),
        helper.make_node("Gemm", ["f", "fw", "fb"], ["out"], transB=1),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, 32, 48])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, [1, 4])],
        [
            weights("w", (8, 3, 3, 3), 0.2),
            weights("b", (8,), 0.0),
            weights("fw", (4, 8), 0.5),
            weights("fb", (4,), 0.0),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.save(model, str(folder / "tiny.onnx"))
    names = []
    for k in range(4):
        np.save(folder / f"{k}.npy", rng.integers(0, 256, (1, 3, 32, 48)).astype(np.uint8))
        names.append(str(folder / f"{k}.npy"))
    (folder / "dataset.txt").write_text("\n".join(names) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
