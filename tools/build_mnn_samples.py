#!/usr/bin/env python3
"""Build the models of samples/01_mnn_ostrack_gpu.

    PYTHON_WITH_MNN tools/build_mnn_samples.py [--onnx-python PYTHON_WITH_ONNX] [FOLDER]

tracker.mnn: two inputs (template 1x3x64x64, search 1x3x128x128), NC4HW4, fixed random weights: features of both by the same
strided convolution, the template's mean laid over the search region, a score map and four numbers for each place. It runs.
backbone.mnn: a patch embedding as in vision transformers, 3 -> 768 channels, 16x16, of 1x3x384x384, without its weights: it
is only read. expected.json: what onnxruntime answers for the arrays that track.py feeds.

The converter is MNN's own module `_tools` (MNN.tools is not imported: it installs packages and calls out to the network).
Two interpreters, because onnx and MNN need not be in one environment. The files are committed; nothing here is needed to run
the sample.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "samples" / "01_mnn_ostrack_gpu"


def write_onnx(work: Path, frame: Path) -> None:
    """Both networks, and the reference answer of the tracker."""
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper
    from PIL import Image

    rng = np.random.default_rng(5)
    node = helper.make_node

    def weights(name: str, *shape: int) -> onnx.TensorProto:
        fan = float(np.prod(shape[1:]))
        return numpy_helper.from_array((rng.standard_normal(shape) * (2 / fan) ** 0.5).astype(np.float32), name)

    def save(
        name: str,
        nodes: list[onnx.NodeProto],
        inputs: dict[str, list[int]],
        outputs: list[str],
        constants: list[onnx.TensorProto],
    ) -> None:
        graph = helper.make_graph(
            nodes, name, [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in inputs.items()],
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in outputs], constants,
        )  # fmt: skip
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
        onnx.checker.check_model(model)
        onnx.save(model, str(work / f"{name}.onnx"))

    nodes = [
        node("Conv", ["template", "embed"], ["t0"], name="template_embed", kernel_shape=[8, 8], strides=[8, 8]),
        node("Relu", ["t0"], ["t1"], name="template_relu"),
        node("GlobalAveragePool", ["t1"], ["t2"], name="template_mean"),
        node("Conv", ["search", "embed"], ["s0"], name="search_embed", kernel_shape=[8, 8], strides=[8, 8]),
        node("Relu", ["s0"], ["s1"], name="search_relu"),
        node("Mul", ["s1", "t2"], ["m"], name="match"),
        node("Conv", ["m", "mix"], ["c0"], name="mix", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        node("Relu", ["c0"], ["c1"], name="mix_relu"),
        node("Conv", ["c1", "to_score"], ["score_raw"], name="to_score", kernel_shape=[1, 1]),
        node("Sigmoid", ["score_raw"], ["score"], name="score"),
        node("Conv", ["c1", "to_box"], ["box"], name="to_box", kernel_shape=[1, 1]),
    ]
    constants = [
        weights("embed", 16, 3, 8, 8),
        weights("mix", 16, 16, 3, 3),
        weights("to_score", 1, 16, 1, 1),
        weights("to_box", 4, 16, 1, 1),
    ]
    sizes = {"template": [1, 3, 64, 64], "search": [1, 3, 128, 128]}
    save("tracker", nodes, sizes, ["score", "box"], constants)
    patch = [
        node(
            "Conv",
            ["image", "patches", "bias"],
            ["tokens"],
            name="patch_embed",
            kernel_shape=[16, 16],
            strides=[16, 16],
        )
    ]
    save(
        "backbone",
        patch,
        {"image": [1, 3, 384, 384]},
        ["tokens"],
        [weights("patches", 768, 3, 16, 16), numpy_helper.from_array(np.zeros(768, np.float32), "bias")],
    )

    picture = Image.open(frame).convert("RGB")
    arrays = {}
    for name, (left, top, side, size) in {"template": (288, 208, 64, 64), "search": (192, 112, 256, 128)}.items():
        part = picture.crop((left, top, left + side, top + side)).resize((size, size), Image.Resampling.BILINEAR)
        arrays[name] = np.moveaxis(np.asarray(part, np.float32) / 255, -1, 0)[None]
    session = onnxruntime.InferenceSession(str(work / "tracker.onnx"), providers=["CPUExecutionProvider"])
    score, box = session.run(["score", "box"], arrays)
    answer = {
        "score": [round(float(v), 6) for v in score.reshape(-1)],
        "place": int(score.argmax()),
        "box": [round(float(v), 5) for v in box[0, :, :, :].reshape(4, -1)[:, int(score.argmax())]],
    }
    (work / "expected.json").write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")


def convert(work: Path, target: Path) -> None:
    """Both files by MNN's converter."""
    import _tools

    def run(made: Path, *arguments: str) -> None:
        made.unlink(missing_ok=True)
        _tools.mnnconvert(["mnnconvert", *arguments])
        if not made.is_file():
            raise SystemExit(f"{made.name} was not written (the converter's exit code says nothing)")

    for name in ("tracker", "backbone"):
        made = target / f"{name}.mnn"
        source = str(work / f"{name}.onnx")
        run(
            made,
            "-f",
            "ONNX",
            "--modelFile",
            source,
            "--MNNModel",
            str(made),
            "--bizCode",
            "sample",
            "--keepInputFormat=0",
        )
    # the weights of the backbone are of no use to a reader: 2.3 MB less
    text, made = work / "backbone.json", target / "backbone.mnn"
    run(text, "-f", "MNN", "--modelFile", str(made), "--JsonFile", str(text))
    document = json.loads(text.read_text(encoding="utf-8"))
    for operator in document["oplists"]:
        if operator.get("main_type") == "Convolution2D":
            operator["main"].update(weight=[], bias=[])
    text.write_text(json.dumps(document), encoding="utf-8")
    run(made, "-f", "JSON", "--modelFile", str(text), "--MNNModel", str(made))


def main() -> int:
    """Both steps, the first in the interpreter that has onnx."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--onnx-python", default=sys.executable)
    parser.add_argument("--write-onnx", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write_onnx is not None:
        write_onnx(given.write_onnx, SAMPLE / "frame.jpg")
        return 0
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        subprocess.run([given.onnx_python, __file__, "--write-onnx", str(work)], check=True)
        convert(work, given.folder)
        (given.folder / "expected.json").write_bytes((work / "expected.json").read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
