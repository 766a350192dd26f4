"""validate --answer and --onnx, from the command line: names, abstentions, refusals."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.cli.run import MODELS, prepcheck, report
from tests.forensics.photos import scene

MNN, RKNN = MODELS / "mnn" / "c3_nchw.mnn", MODELS / "rknn" / "rk3588_mean127p5_i8.rknn"
FLOAT = MODELS / "rknn" / "rk3588_imagenet_f16.rknn"
needs_mnn = pytest.mark.skipif(importlib.util.find_spec("MNN") is None, reason="MNN is not installed")
needs_onnx = pytest.mark.skipif(
    importlib.util.find_spec("onnxruntime") is None or importlib.util.find_spec("onnx") is None,
    reason="onnxruntime or onnx is not installed (the onnx and bench extras)",
)


@pytest.fixture
def pictures(tmp_path: Path) -> list[Path]:
    """Pictures of the MNN model's own size, so that no resizer has a say."""
    return _saved(tmp_path, 10, 8)


def _saved(folder: Path, width: int, height: int) -> list[Path]:
    out = []
    for seed in range(4):
        pixels = np.asarray(Image.fromarray(scene(seed)).resize((width, height)))
        out.append(folder / f"p{seed}.png")
        Image.fromarray(pixels).save(out[-1])
    return out


def answer_of(picture: Path, how: Any = lambda a: a) -> str:
    """What MNN itself gives for the picture after a fault."""
    from prepcheck.app.run_mnn import run_mnn

    pixels = how(np.asarray(Image.open(picture), np.float32))
    (output,) = run_mnn(MNN, {"input": np.ascontiguousarray(np.moveaxis(pixels, -1, 0)[None])}).values()
    return ",".join(f"{v:.5g}" for v in output.reshape(-1))


def given(texts: list[str]) -> list[str]:
    return [w for t in texts for w in ("--answer", t)]


@needs_mnn
def test_a_fault_is_named_by_three_answers(pictures: list[Path]) -> None:
    texts = [answer_of(p, lambda a: a[::-1]) for p in pictures[:3]]
    found = report("validate", MNN, *pictures[:3], *given(texts), code=1)
    first = found["findings"][0]
    assert (first["rule"], first["fault"], first["severity"]) == ("CN520", "flipped_vertical", "error")
    assert found["scope"] == "input"
    assert {"an input as planned", "channels_swapped", "inverted"} <= {r["what"] for r in found["ruled_out"]}
    assert any("--buffer" in t["do"] for t in found["next_tests"])
    table = found["details"]["answers"]["hypotheses"]
    assert [h["name"] for h in table if not h["excluded"]] == ["flipped_vertical"]
    assert table[0]["expected"][0] == pytest.approx([float(v) for v in texts[0].split(",")], rel=1e-3)


@needs_mnn
def test_the_planned_input_is_cleared(pictures: list[Path]) -> None:
    found = report("validate", MNN, *pictures, *given([answer_of(p) for p in pictures]), code=0)
    assert {f["rule"] for f in found["findings"] if f["rule"].startswith("CN52")} == {"CN521"}
    assert "flipped_vertical" in {r["what"] for r in found["ruled_out"]}


@needs_mnn
def test_no_fault_explains_two_at_once(pictures: list[Path]) -> None:
    texts = [answer_of(p, lambda a: 255 - np.roll(a[:, ::-1], 3, 0)[..., [1, 2, 0]] / 2) for p in pictures]
    found = report("validate", MNN, *pictures, *given(texts), code=0)
    (finding,) = [f for f in found["findings"] if f["rule"].startswith("CN52")]
    assert (finding["rule"], finding["fault"]) == ("CN523", None)
    assert found["scope"] == "cannot_tell"
    assert [r["what"] for r in found["ruled_out"]] == ["every single fault of the input with usual parameters"]


@needs_mnn
def test_values_that_nobody_stated_are_no_fault(pictures: list[Path]) -> None:
    found = report("validate", MNN, *pictures, *given([answer_of(p, lambda a: a / 255) for p in pictures]), code=0)
    (finding,) = [f for f in found["findings"] if f["rule"].startswith("CN52")]
    assert finding["severity"] == "info"
    assert finding["fault"] is None
    assert "training" in finding["fix"] or "left" in finding["evidence"]


@needs_mnn
def test_a_flip_that_the_picture_cannot_show_has_no_name(pictures: list[Path]) -> None:
    pixels = np.asarray(Image.open(pictures[0]))
    mirrored = np.concatenate([pixels[:, :5], pixels[:, 4::-1]], axis=1)
    Image.fromarray(mirrored).save(pictures[0])
    found = report("validate", MNN, pictures[0], *given([answer_of(pictures[0], lambda a: a[:, ::-1])]), code=0)
    assert not [f for f in found["findings"] if f["fault"]]
    (finding,) = [f for f in found["findings"] if f["rule"] == "CN522"]
    assert {"as_planned", "flipped_horizontal"} <= set(finding["evidence"]["left"])


@needs_mnn
def test_the_next_test_says_what_the_card_would_be_answered(tmp_path: Path) -> None:
    import cv2

    from prepcheck.app.run_mnn import run_mnn
    from prepcheck.forensics import test_card as card_of

    def answered(picture: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        small = cv2.resize(picture, (10, 8), interpolation=cv2.INTER_LINEAR).astype(np.float32)
        (output,) = run_mnn(MNN, {"input": np.ascontiguousarray(np.moveaxis(small, -1, 0)[None])}).values()
        return output.reshape(-1)

    picture = _saved(tmp_path, 200, 150)[0]
    text = ",".join(f"{v:.3g}" for v in answered(np.asarray(Image.open(picture))))
    found = report("validate", MNN, picture, "--answer", text)
    assert found["details"]["answers"]["verdict"] == "left"
    (test,) = [t for t in found["next_tests"] if "--test-card 200 150" in t["do"]]
    planned = next(o for o in test["outcomes"] if o["means"].startswith("as_planned"))
    assert json.loads(planned["see"]) == pytest.approx(answered(card_of(200, 150)).tolist(), abs=1e-3)
    assert len(test["outcomes"]) >= 2


@needs_mnn
def test_the_same_input_gives_the_same_bytes(pictures: list[Path]) -> None:
    arguments = ("validate", MNN, *pictures[:2], *given([answer_of(p) for p in pictures[:2]]), "--format", "json")
    assert prepcheck(*arguments).stdout == prepcheck(*arguments).stdout


@needs_mnn
def test_an_answer_in_a_file(pictures: list[Path], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(answer_of(pictures[0]).replace(",", "\n") + "\n")
    np.save(tmp_path / "b.npy", np.array([float(v) for v in answer_of(pictures[1]).split(",")], np.float32))
    found = report("validate", MNN, *pictures[:2], *given([str(tmp_path / "a.txt"), str(tmp_path / "b.npy")]), code=0)
    assert not [f for f in found["findings"] if f["severity"] == "error"]
    assert not next(h for h in found["details"]["answers"]["hypotheses"] if h["name"] == "as_planned")["excluded"]


@needs_mnn
@pytest.mark.parametrize(
    ("texts", "word"),
    [
        (["0.1,0.2,0.9"], "it has 3 numbers"),
        (["nan,0,0,0"], "nan"),
        (["7:0.5"], "class 7 is in none"),
        (["other=1,2,3,4"], "no output other"),
        (["1,2,3,4"] * 5, "5 answers for 4 images"),
        (["x y"], "is no number"),
    ],
)
def test_answers_that_are_refused(texts: list[str], word: str, pictures: list[Path]) -> None:
    done = prepcheck("validate", MNN, *pictures, *given(texts), "--format", "json")
    assert done.returncode == 2
    document = json.loads(done.stdout)
    assert document["verdict"] == "unjudged"
    assert word in document["error"]["message"]


def test_an_rknn_without_its_network_says_what_is_missing(pictures: list[Path]) -> None:
    found = report("validate", RKNN, pictures[0], "--answer", "0.5,0.5")
    assert any("--onnx" in u["supply"] for u in found["unknown"])


def test_without_onnxruntime_it_says_how_to_get_it(
    pictures: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda n, *a: None if n == "onnxruntime" else find(n, *a))
    monkeypatch.delenv("PREPCHECK_RKNN_PYTHON", raising=False)
    done = prepcheck("validate", RKNN, pictures[0], "--onnx", tmp_path / "m.onnx")
    assert done.returncode == 2
    assert "prepcheck[onnx]" in done.stderr


def network(path: Path, channels: int = 3, size: tuple[int, int] = (20, 36), **more: Any) -> Path:
    """A small network with fixed pseudo-random weights: convolution, flattened part of the picture, softmax."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(5)
    h, w = size
    conv = rng.normal(0, 0.4, (4, channels, 5, 5)).astype(np.float32)
    pooled = (-(-h // 4)) * (-(-w // 4)) * 4
    full = rng.normal(0, 4 / np.sqrt(pooled), (pooled, 3)).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["images", "c"], ["a"], strides=[4, 4], pads=[2, 2, 2, 2]),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Flatten", ["b"], ["f"]),
        helper.make_node("MatMul", ["f", "m"], ["g"]),
        helper.make_node("Softmax", ["g"], ["out"], axis=1),
    ]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, channels, h, w])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, [1, 3])],
        [numpy_helper.from_array(conv, "c"), numpy_helper.from_array(full, "m")],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.save(model, str(path))
    return path


def run(path: Path, picture: Path, how: Any = lambda a: a) -> np.ndarray[Any, Any]:
    import onnxruntime as ort

    pixels = np.ascontiguousarray(how(np.asarray(Image.open(picture)))).astype(np.float32)
    x = (pixels - np.array([123.675, 116.28, 103.53])) / np.array([58.395, 57.12, 57.375])
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"images": np.moveaxis(x, -1, 0)[None].astype(np.float32)})[0][0])


@needs_onnx
def test_an_rknn_through_its_network(tmp_path: Path) -> None:
    pictures, net = _saved(tmp_path, 36, 20), network(tmp_path / "m.onnx")
    texts = [",".join(f"{v:.4f}" for v in run(net, p, lambda a: a[:, ::-1])) for p in pictures]
    found = report("validate", FLOAT, *pictures, *given(texts), "--onnx", net, code=1)
    assert [f["fault"] for f in found["findings"] if f["rule"] == "CN520"] == ["flipped_horizontal"]


@needs_onnx
def test_what_a_fault_does_to_the_answer(tmp_path: Path) -> None:
    pictures, net = _saved(tmp_path, 36, 20), network(tmp_path / "m.onnx")
    swapped = np.ascontiguousarray(np.asarray(Image.open(pictures[0]))[..., ::-1])
    (tmp_path / "in.bin").write_bytes(swapped.tobytes())
    found = report("validate", FLOAT, pictures[0], "--buffer", tmp_path / "in.bin", "--onnx", net, code=1)
    (effect,) = [f for f in found["findings"] if f["rule"] == "CN524"]
    want, got = run(net, pictures[0]), run(net, pictures[0], lambda a: a[..., ::-1])
    assert effect["evidence"]["difference"] == pytest.approx(float(np.abs(want - got).max()), abs=1e-4)
    assert found["findings"][0]["fault"] == "channels_swapped"


@needs_onnx
@pytest.mark.parametrize(("channels", "size"), [(3, (24, 36)), (1, (20, 36))])
def test_another_network_is_refused(channels: int, size: tuple[int, int], tmp_path: Path) -> None:
    net = network(tmp_path / "m.onnx", channels, size)
    done = prepcheck("validate", FLOAT, _saved(tmp_path, 36, 20)[0], "--onnx", net)
    assert done.returncode == 2
    assert "20 rows x 36 pixels x 3" in done.stderr


@needs_onnx
def test_a_file_that_is_no_network(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(b"\x08\x07" + bytes(300))
    done = prepcheck("validate", FLOAT, _saved(tmp_path, 36, 20)[0], "--onnx", tmp_path / "m.onnx")
    assert done.returncode == 2
    assert "cannot load it" in done.stderr
