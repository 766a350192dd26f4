#!/usr/bin/env python3
"""Rebuild tests/data/models/rknn with rknn-toolkit2 2.5.0 (an environment of its own, see README).

    PYTHON_WITH_RKNN tools/build_rknn_models.py FOLDER [--only NAME ...]
    PYTHON_WITH_RKNN tools/build_rknn_models.py --check [--only NAME ...] [--python PYTHON_WITH_PREPCHECK]

`recipes_rknn.py` holds the table. With --check the files are built into a folder that is thrown away, and
`compare_models.py` says for each whether its contract is that of the committed file and what expected.json states. The
`v1_*` files are written byte by byte by `rknn1_files.py`: toolkit 1 ended with Python 3.6.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from recipes_rknn import DATA, GRAPHS, RECIPES, Data, Graph, Recipe
from rknn1_files import RKNN1, rknn1_bytes

ROOT = Path(__file__).resolve().parents[1]
COMMITTED = ROOT / "tests" / "data" / "models" / "rknn"


class Net:
    """The nodes and weights of one network; the weights in the order in which they are asked for."""

    def __init__(self, first: int) -> None:
        import numpy as np

        self.rest = np.random.default_rng(1).standard_normal(first + 20_000)[first:]
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def weights(self, name: str, *shape: int) -> str:
        """The next numbers of the stream as a constant."""
        import numpy as np
        from onnx import numpy_helper

        count = int(np.prod(shape))
        numbers, self.rest = self.rest[:count], self.rest[count:]
        self.constants.append(numpy_helper.from_array((numbers * 0.2).astype(np.float32).reshape(shape), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """One node; its name is that of its output."""
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def conv(self, source: str, output: str, channels: int, filters: int) -> str:
        """3x3, with a bias."""
        named = [self.weights(f"{output}_w", filters, channels, 3, 3), self.weights(f"{output}_b", filters)]
        return self.node("Conv", [source, *named], output, kernel_shape=[3, 3], pads=[1, 1, 1, 1])

    def gemm(self, source: str, output: str, width: int, rows: int) -> str:
        """rows x width, with a bias."""
        named = [self.weights(f"{output}_w", rows, width), self.weights(f"{output}_b", rows)]
        return self.node("Gemm", [source, *named], output, transB=1)


def conv(net: Net, shape: tuple[int, ...]) -> tuple[dict[str, tuple[int, ...]], str]:
    """One convolution of eight filters and a ReLU."""
    net.conv("images", "feat", shape[1], 8)
    net.node("Relu", ["feat"], "out")
    return {"images": shape}, "out"


def two_convs(net: Net, shape: tuple[int, ...]) -> tuple[dict[str, tuple[int, ...]], str]:
    """Two convolutions: the first can stay float16 while the second is int8."""
    net.conv("images", "feat", shape[1], 8)
    net.node("Relu", ["feat"], "r1")
    net.conv("r1", "out", 8, 4)
    return {"images": shape}, "out"


def two_images(net: Net, shape: tuple[int, ...]) -> tuple[dict[str, tuple[int, ...]], str]:
    """A colour and a grey picture, side by side in the channels."""
    net.node("Concat", ["rgb", "gray"], "both", axis=1)
    net.conv("both", "out", 4, 8)
    return {"rgb": shape, "gray": (1, 1, *shape[2:])}, "out"


def image_and_vector(net: Net, shape: tuple[int, ...]) -> tuple[dict[str, tuple[int, ...]], str]:
    """A picture's features and six numbers."""
    net.conv("img", "f", shape[1], 8)
    net.node("GlobalAveragePool", ["f"], "p")
    net.node("Flatten", ["p"], "flat")
    net.node("Concat", ["flat", "vec"], "all", axis=1)
    net.gemm("all", "out", 14, 5)
    return {"img": shape, "vec": (1, 6)}, "out"


def vector(net: Net, shape: tuple[int, ...]) -> tuple[dict[str, tuple[int, ...]], str]:
    """No picture at all."""
    net.gemm("x", "y", shape[1], 4)
    return {"x": shape}, "y"


def ids(net: Net, shape: tuple[int, ...]) -> tuple[dict[str, tuple[int, ...]], str]:
    """Token ids, a table of 20 rows, a product."""
    net.node("Gather", [net.weights("emb", 20, 8), "ids"], "y", axis=0)
    net.node("MatMul", ["y", net.weights("w", 8, 5)], "z")
    return {"ids": shape}, "z"


def turned(net: Net, shape: tuple[int, ...]) -> tuple[dict[str, tuple[int, ...]], str]:
    """A network from a framework with the channels last."""
    net.node("Transpose", ["images"], "t", perm=[0, 3, 1, 2])
    net.conv("t", "out", shape[3], 8)
    return {"images": shape}, "out"


def masked(net: Net, shape: tuple[int, ...]) -> tuple[dict[str, tuple[int, ...]], str]:
    """A picture times a mask of booleans."""
    net.node("Cast", ["mask"], "mf", to=1)
    net.node("Mul", ["images", "mf"], "mm")
    net.conv("mm", "out", shape[1], 8)
    return {"images": shape, "mask": shape}, "out"


KINDS = {f.__name__: f for f in (conv, two_convs, two_images, image_and_vector, vector, ids, turned, masked)}


def write_graph(graph: Graph, path: Path) -> list[str]:
    """The network as ONNX; its inputs' names."""
    import onnx
    from onnx import TensorProto, helper

    net = Net(graph.first)
    inputs, output = KINDS[graph.kind](net, graph.shape)
    types = {"ids": TensorProto.INT64, "mask": TensorProto.BOOL}
    places = [
        helper.make_tensor_value_info(
            name, types.get(name, TensorProto.FLOAT), [d if d > 0 else f"d{k}" for k, d in enumerate(dims)]
        )
        for name, dims in inputs.items()
    ]
    body = helper.make_graph(
        net.nodes, graph.kind, places, [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)], net.constants
    )
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", 12)], ir_version=8)
    model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    return list(inputs)


def write_data(data: Data, folder: Path | None, random: Any) -> str:
    """Draw the samples, write them into `folder` (None: only draw), give the lines of the data set."""
    import cv2
    import numpy as np

    def picture(place: int, height: int, width: int, channels: int) -> Any:
        low, high = data.ranges[place] if place < len(data.ranges) else (0, 255)
        small = random.integers(low, high + 1, (-(-height // 4), -(-width // 4), channels)).astype(np.uint8)
        large = small.repeat(4, 0).repeat(4, 1)[:height, :width]
        if place < len(data.ends):
            large = large.clip(*data.ends[place])
            large[0, 0], large[0, 1] = data.ends[place]
        return large

    lines = []
    for sample in range(data.samples):
        names = []
        for place, (form, *dims) in enumerate(data.files):
            if form == "png":
                array = picture(place, *dims)
            elif form == "npy":
                array = np.stack([picture(place, h, w, c) for n, c, h, w in [dims] for _ in range(n)]).transpose(
                    0, 3, 1, 2
                )
            elif form == "turned":
                array = np.stack([picture(place, *dims[1:]) for _ in range(dims[0])])
            elif form == "vector":
                array = random.standard_normal(dims[0]).astype(np.float32)[None]
            elif form == "ids":
                array = random.integers(0, dims[1], (1, dims[0]))
            else:
                array = random.integers(0, 2, dims).astype(bool)
            if folder is None or (data.kept is not None and place not in data.kept):
                continue
            path = folder / f"{sample}_{place}.{'png' if form == 'png' else 'npy'}"
            if form == "png":
                cv2.imwrite(str(path), array)
            else:
                np.save(path, array)
            names.append(str(path))
        lines.append(" ".join(names))
    return "\n".join(lines) + "\n"


def data_set(name: str, folder: Path) -> Path:
    """The list of calibration files that rknn-toolkit2 wants."""
    import numpy as np

    random = np.random.default_rng(0)
    for before in DATA[name].before:
        write_data(DATA[before], None, random)
    path = folder / "dataset.txt"
    path.write_text(write_data(DATA[name], folder, random), encoding="utf-8")
    return path


def build(name: str, recipe: Recipe, target: Path) -> None:
    """One file; SystemExit where the toolkit refuses a step."""
    from rknn.api import RKNN

    def must(status: int, step: str) -> None:
        if status != 0:
            raise SystemExit(f"{name}: {step} gave {status}")

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        work = Path(folder)
        write_graph(GRAPHS[recipe.graph], work / "net.onnx")
        lines = str(data_set(recipe.data, work)) if recipe.data else None
        rknn = RKNN(verbose=False)
        must(rknn.config(target_platform=recipe.target, **recipe.config) or 0, "config")
        must(rknn.load_onnx(str(work / "net.onnx")), "load_onnx")
        if recipe.hybrid:
            must(rknn.hybrid_quantization_step1(dataset=lines), "hybrid_quantization_step1")
            found = {suffix: str(next(work.glob(f"*{suffix}"))) for suffix in (".model", ".data", ".cfg")}
            config = Path(found[".cfg"])
            layers = "".join(f"\n    {layer}: float16" for layer in recipe.hybrid)
            text = config.read_text(encoding="utf-8")
            changed = text.replace("custom_quantize_layers: {}", f"custom_quantize_layers:{layers}")
            if changed == text:
                raise SystemExit(f"{name}: the quantisation file has no empty custom_quantize_layers")
            config.write_text(changed, encoding="utf-8")
            rknn.release()
            rknn = RKNN(verbose=False)  # the second step starts from the files of the first
            must(rknn.hybrid_quantization_step2(found[".model"], found[".data"], str(config)), "step2")
        else:
            must(rknn.build(do_quantization=lines is not None, dataset=lines, rknn_batch_size=recipe.batch), "build")
        must(rknn.export_rknn(str(target / f"{name}.rknn")), "export_rknn")
        rknn.release()


def main() -> int:
    """Build, or build and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--check", action="store_true", help="compare with the committed files, keep nothing")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="names without .rknn")
    parser.add_argument("--python", default=str(ROOT / ".venv" / "bin" / "python"), help="has prepcheck (for --check)")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if (given.folder is None) == (not given.check):
        parser.error("give a folder, or --check")
    if given.one:  # the toolkit ends the process where a step fails inside it, so every file has its own
        build(given.one, RECIPES[given.one], given.folder)
        return 0
    with tempfile.TemporaryDirectory() as made:
        folder = (given.folder or Path(made)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for name in given.only or [*RECIPES, *RKNN1]:
            if name in RKNN1:
                (folder / f"{name}.rknn").write_bytes(rknn1_bytes(RKNN1[name]))
                continue
            log = folder / f"{name}.log"
            with log.open("w", encoding="utf-8") as out:
                argv = [sys.executable, __file__, str(folder), "--one", name]
                done = subprocess.run(argv, stdout=out, stderr=out, check=False)
            if done.returncode != 0 or not (folder / f"{name}.rknn").exists():
                print(f"{name}: not built\n{log.read_text(encoding='utf-8')[-1500:]}")
            log.unlink()
        if not given.check:
            return 0
        argv = [given.python, str(ROOT / "tools" / "compare_models.py"), "rknn", str(folder), *(given.only or [])]
        return subprocess.run(argv, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
