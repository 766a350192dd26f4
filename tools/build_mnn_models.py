#!/usr/bin/env python3
"""Rebuild tests/data/models/mnn with the converter of the MNN package (3.6.1 made the committed files).

    PYTHON tools/build_mnn_models.py FOLDER [--only NAME ...]
    PYTHON tools/build_mnn_models.py --check [--only NAME ...]

PYTHON has MNN, onnx and Pillow; with --check prepcheck too. `recipes_mnn.py` holds the table. With --check the files are
built into a folder that is thrown away, and `compare_models.py` says for each whether its contract is that of the
committed file and what expected.json states.

The converter is MNN's own module `_tools` (MNN.tools is not imported: it installs packages and calls out to the network).
It may end the process, so every file has one of its own. A TensorFlow graph is written field by field: TensorFlow itself is
not needed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from recipes_mnn import GRAPHS, RECIPES, Graph, Recipe

ROOT = Path(__file__).resolve().parents[1]


class Net:
    """The nodes and weights of one network; the weights in the order in which they are asked for."""

    def __init__(self, first: int) -> None:
        import numpy as np

        self.rest = np.random.RandomState(0).randn(first + 800_000)[first:]
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def weights(self, name: str, *shape: int, times: float = 0.1) -> str:
        """The next numbers of the stream as a constant."""
        import numpy as np
        from onnx import numpy_helper

        count = int(np.prod(shape))
        numbers, self.rest = self.rest[:count], self.rest[count:]
        self.constants.append(numpy_helper.from_array((numbers * times).astype(np.float32).reshape(shape), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """One node; its name is that of its output."""
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def conv(self, source: str, output: str, *weights: str) -> str:
        """3x3 with a border of one."""
        return self.node("Conv", [source, *weights], output, kernel_shape=[3, 3], pads=[1, 1, 1, 1])


Inputs = dict[str, tuple[int, ...]]


def classifier(net: Net, graph: Graph) -> Inputs:
    """Convolution with a bias, ReLU, mean over the picture: four numbers."""
    source = "input" if graph.type == "FLOAT" else net.node("Cast", ["input"], "xf", to=1)
    net.conv(source, "c", net.weights("w", 4, graph.shape[1], 3, 3), net.weights("b", 4, times=1.0))
    net.node("Relu", ["c"], "r")
    net.node("GlobalAveragePool", ["r"], "g")
    net.node("Flatten", ["g"], "output")
    return {"input": graph.shape}


def turned(net: Net, graph: Graph) -> Inputs:
    """A network from a framework with the channels last."""
    net.node("Transpose", ["input"], "t", perm=[0, 3, 1, 2])
    net.conv("t", "c", net.weights("w", 4, graph.shape[3], 3, 3))
    net.node("GlobalAveragePool", ["c"], "output")
    return {"input": graph.shape}


def three_inputs(net: Net, graph: Graph) -> Inputs:
    """A template, a search picture of twice the size, and ids; both pictures by the same weights."""
    weights = net.weights("w", 4, graph.shape[1], 3, 3)
    net.conv("template", "c2", weights)
    net.conv("search", "c1", weights)
    net.node("GlobalAveragePool", ["c1"], "g1")
    net.node("GlobalAveragePool", ["c2"], "g2")
    net.node("Add", ["g1", "g2"], "s")
    net.node("Cast", ["ids"], "idf", to=1)
    net.node("ReduceSum", ["idf"], "is", keepdims=1)
    net.node("Add", ["s", "is"], "output")
    return {"template": graph.shape, "search": (*graph.shape[:2], 16, 16), "ids": (1, 4)}


def pooled(net: Net, graph: Graph) -> Inputs:
    """A convolution whose weights are large enough to be put into a file of their own."""
    net.conv("input", "c", net.weights("w", 32, graph.shape[1], 3, 3))
    net.node("GlobalAveragePool", ["c"], "output")
    return {"input": graph.shape}


def convolution(net: Net, graph: Graph) -> Inputs:
    """Nothing after it, so that the output is packed as well."""
    net.conv("input", "output", net.weights("w", 5, graph.shape[1], 3, 3))
    return {"input": graph.shape}


def patches(net: Net, graph: Graph) -> Inputs:
    """The patch embedding of a vision transformer: 16x16, 768 filters, 256 tokens."""
    import numpy as np
    from onnx import numpy_helper

    net.node("Conv", ["input", net.weights("w", 768, 3, 16, 16)], "c", kernel_shape=[16, 16], strides=[16, 16])
    net.constants.append(numpy_helper.from_array(np.array([1, 768, 256], np.int64), "shp"))
    net.node("Reshape", ["c", "shp"], "r")
    net.node("Transpose", ["r"], "output", perm=[0, 2, 1])
    return {"input": graph.shape}


KINDS = {f.__name__: f for f in (classifier, turned, three_inputs, pooled, convolution, patches)}


def write_onnx(graph: Graph, path: Path) -> None:
    """The network as ONNX."""
    import onnx
    from onnx import TensorProto, helper

    net = Net(graph.first)
    inputs = KINDS[graph.kind](net, graph)
    places = [
        helper.make_tensor_value_info(
            name,
            TensorProto.INT64 if name == "ids" else getattr(TensorProto, graph.type),
            [d if d > 0 else f"d{k}" for k, d in enumerate(dims)],
        )
        for name, dims in inputs.items()
    ]
    outputs = [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)]
    body = helper.make_graph(net.nodes, graph.kind, places, outputs, net.constants)
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", 12)], ir_version=8)
    helper.set_model_props(model, dict(graph.metadata))
    model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def write_tensorflow(graph: Graph, path: Path) -> None:
    """Placeholder, 3x3 convolution (SAME) and ReLU as a GraphDef. Field numbers: tensorflow/core/framework/*.proto."""
    import numpy as np

    def number(value: int) -> bytes:
        out = b""
        while value > 127:
            out, value = out + bytes([value & 127 | 128]), value >> 7
        return out + bytes([value])

    def item(place: int, value: bytes | str | int) -> bytes:
        """One field: a number, or bytes with their length."""
        if isinstance(value, int):
            return number(place << 3) + number(value)
        data = value.encode() if isinstance(value, str) else value
        return number(place << 3 | 2) + number(len(data)) + data

    def shape(*dims: int) -> bytes:
        return b"".join(item(2, item(1, d)) for d in dims)

    def node(name: str, op: str, inputs: list[str], **attributes: bytes) -> bytes:
        parts = [item(1, name), item(2, op), *(item(3, i) for i in inputs)]
        parts += [item(5, item(1, key) + item(2, value)) for key, value in attributes.items()]
        return item(1, b"".join(parts))

    weights = (np.random.RandomState(7).randn(3, 3, 3, 4) * 0.1).astype("<f4")
    real = item(6, 1)  # AttrValue.type = DT_FLOAT
    tensor = item(1, 1) + item(2, shape(*weights.shape)) + item(4, weights.tobytes())
    path.write_bytes(
        node("image", "Placeholder", [], dtype=real, shape=item(7, shape(*graph.shape)))
        + node("kernel", "Const", [], dtype=real, value=item(8, tensor))
        + node(
            "conv", "Conv2D", ["image", "kernel"], T=real, data_format=item(2, "NHWC"), padding=item(2, "SAME"),
            strides=item(1, item(3, bytes([1, 1, 1, 1]))),
        )
        + node("output", "Relu", ["conv"], T=real)
    )  # fmt: skip


def convert(made: Path, *arguments: str) -> None:
    """MNN's converter; its exit code says nothing, so the file has to be there."""
    import _tools

    _tools.mnnconvert(["mnnconvert", *arguments])
    if not made.is_file():
        raise SystemExit(f"{made.name} was not written")


def calibrate(made: Path, work: Path) -> None:
    """int8 with four pictures, `KL` for the features, to -1..1."""
    import _tools
    import numpy as np
    from PIL import Image

    pictures = work / "pictures"
    pictures.mkdir()
    random = np.random.RandomState(1)
    for k in range(4):
        pixels = random.randint(0, 256, (8, 10, 3)).astype(np.uint8)
        Image.fromarray(pixels).save(pictures / f"{k}.png")
    settings = {
        "format": "BGR", "mean": [127.5] * 3, "normal": [0.00784] * 3, "width": 10, "height": 8,
        "path": f"{pictures}/", "used_image_num": 4, "feature_quantize_method": "KL",
        "weight_quantize_method": "MAX_ABS",
    }  # fmt: skip
    (work / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    quantised = work / "quantised.mnn"
    _tools.mnnquant(["mnnquant", str(made), str(quantised), str(work / "settings.json")])
    if not quantised.is_file():
        raise SystemExit(f"{made.name}: mnnquant wrote nothing")
    quantised.replace(made)


def strip(made: Path, work: Path) -> None:
    """Take the weights out: the file is only read, and 2.3 MB smaller."""
    text = work / "net.json"
    convert(text, "-f", "MNN", "--modelFile", str(made), "--JsonFile", str(text))
    document = json.loads(text.read_text(encoding="utf-8"))
    for operator in document["oplists"]:
        if operator.get("main_type") == "Convolution2D":
            for key in ("weight", "bias"):
                del operator["main"][key]
    text.write_text(json.dumps(document), encoding="utf-8")
    made.unlink()
    convert(made, "-f", "JSON", "--modelFile", str(text), "--MNNModel", str(made))


def build(name: str, recipe: Recipe, target: Path) -> None:
    """One file."""
    graph, made = GRAPHS[recipe.graph], target / f"{name}.mnn"
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        source = work / ("net.pb" if graph.kind == "tensorflow" else "net.onnx")
        (write_tensorflow if graph.kind == "tensorflow" else write_onnx)(graph, source)
        form = "TF" if graph.kind == "tensorflow" else "ONNX"
        paths = ["-f", form, "--modelFile", str(source), "--MNNModel", str(made), "--bizCode", "pc"]
        convert(made, *paths, *recipe.options)
        if recipe.after:
            {"calibrate": calibrate, "strip": strip}[recipe.after](made, work)


def main() -> int:
    """Build, or build and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--check", action="store_true", help="compare with the committed files, keep nothing")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="names without .mnn")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if (given.folder is None) == (not given.check):
        parser.error("give a folder, or --check")
    if given.one:
        build(given.one, RECIPES[given.one], given.folder)
        return 0
    with tempfile.TemporaryDirectory() as made:
        folder = (given.folder or Path(made)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for name in given.only or RECIPES:
            argv = [sys.executable, __file__, str(folder), "--one", name]
            done = subprocess.run(argv, capture_output=True, text=True, check=False)
            if done.returncode != 0 or not (folder / f"{name}.mnn").exists():
                print(f"{name}: not built\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
        if not given.check:
            return 0
        argv = [sys.executable, str(ROOT / "tools" / "compare_models.py"), "mnn", str(folder), *(given.only or [])]
        return subprocess.run(argv, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
