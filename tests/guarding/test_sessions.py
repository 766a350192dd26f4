"""InferenceSession and Interpreter: stand-ins of the same interface, and the real ones where they are installed."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from prepcheck import CheckFailed, Guard, guard, load
from prepcheck.guarding.policy import GuardWarning
from tests.readers.onnx_builder import classifier, value_info
from tests.readers.tflite_builder import convolution

Array = NDArray[np.generic]


class Session:
    """As onnxruntime's: run() by names, get_inputs(), get_outputs()."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.runs = 0

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=n) for n in self.names]

    def get_outputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name="scores")]

    def run(self, output_names: object, input_feed: dict[str, Array], run_options: object = None) -> list[Array]:
        self.runs += 1
        return [np.concatenate([np.asarray(v, np.float32).ravel() for v in input_feed.values()])]


class Interpreter:
    """As TensorFlow Lite's: tensors by their index."""

    def __init__(self, inputs: int = 1) -> None:
        self.values: dict[int, Array] = {}
        self.inputs = [{"index": 7 + i, "name": f"x{i}"} for i in range(inputs)]
        self.num_threads = 1

    def get_input_details(self) -> list[dict[str, Any]]:
        return self.inputs

    def set_tensor(self, tensor_index: int, value: Array) -> None:
        self.values[tensor_index] = np.array(value)

    def invoke(self) -> None:
        self.values[99] = np.asarray([float(np.sum(v)) for v in self.values.values()][:1])

    def get_tensor(self, tensor_index: int) -> Array:
        return self.values[tensor_index]


def contract(runtime: str, *inputs: dict[str, Any]) -> dict[str, Any]:
    return {"runtime": runtime, "inputs": list(inputs)}


PICTURE = {"name": "images", "layout": "NCHW", "shape": [1, 3, 8, 12], "dtype": "float32"}
CODES = {
    "name": "x0",
    "layout": "NHWC",
    "shape": [1, 8, 12, 3],
    "dtype": "uint8",
    "scale": 1 / 255,
    "zero_point": 0,
    "value_range": [0.0, 1.0],
}


def picture(seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).random((1, 3, 8, 12), dtype=np.float32)


def failing(call: Any, *arguments: object) -> str:
    with pytest.raises(CheckFailed) as caught:
        call(*arguments)
    return caught.value.message


def test_a_right_feed_runs() -> None:
    session = Session("images")
    guarded: Any = guard(session, contract("onnx", PICTURE))
    assert guarded.run(None, {"images": picture()})[0].shape == (288,)
    assert guarded.get_inputs()[0].name == "images"
    assert guarded.stats()["calls"] == 1
    assert session.runs == 1


@pytest.mark.parametrize(
    ("feed", "rule"),
    [
        ({"images": picture().astype(np.float64)}, "GD012"),
        ({"images": picture()[0]}, "GD003"),
        ({"images": np.moveaxis(picture(), 1, -1)}, "GD005"),
        ({"images": np.swapaxes(picture(), 2, 3)}, "GD006"),
        ({"images": picture()[:, :1]}, "GD007"),
        ({"images": np.full((1, 3, 8, 12), np.nan, np.float32)}, "GD02"),
        ({"image": picture()}, "GD037"),
        ({}, "GD037"),
        ({"images": picture(), "mask": picture()}, "GD037"),
        ({"images": None}, "GD002"),
        ([picture()], "GD002"),
    ],
)
def test_a_wrong_feed_does_not(feed: Any, rule: str) -> None:
    session = Session("images")
    guarded: Any = guard(session, contract("onnx", PICTURE))
    assert rule in failing(guarded.run, None, feed)
    assert session.runs == 0


def test_open_axes_take_any_length() -> None:
    guarded: Any = guard(Session("images"), contract("onnx", {**PICTURE, "shape": [-1, 3, -1, -1]}))
    guarded.run(None, {"images": np.zeros((4, 3, 5, 6), np.float32)})
    assert "GD" in failing(guarded.run, None, {"images": np.zeros((4, 1, 5, 6), np.float32)})


def test_a_stuck_answer_is_seen() -> None:
    class Stuck(Session):
        def run(self, output_names: object, input_feed: dict[str, Array], run_options: object = None) -> list[Array]:
            return [np.arange(64, dtype=np.float32) / 7]

    guarded: Any = guard(Stuck("images"), contract("onnx", PICTURE), every=1)

    def frames() -> None:
        for seed in range(40):
            guarded.run(None, {"images": picture(seed)})

    assert "GD031" in failing(frames)


def test_an_interpreter() -> None:
    interpreter = Interpreter()
    guarded: Any = guard(interpreter, contract("tflite", CODES), every=1)
    good = np.random.default_rng(1).integers(0, 256, (1, 8, 12, 3), dtype=np.uint8)
    assert "GD038" in failing(guarded.invoke)
    guarded.set_tensor(7, good)
    guarded.invoke()
    assert guarded.get_tensor(99).size == 1
    assert "GD012" in failing(guarded.set_tensor, 7, good.astype(np.float32))
    assert "GD005" in failing(guarded.set_tensor, 7, np.moveaxis(good, -1, 1).copy())
    assert "GD002" in failing(guarded.set_tensor, 7, None)
    guarded.set_tensor(50, None)  # no input: the interpreter's own business
    guarded.num_threads = 4
    assert interpreter.num_threads == 4


def test_two_inputs_of_an_interpreter() -> None:
    guarded: Any = guard(Interpreter(2), contract("tflite", CODES, {**CODES, "name": "x1"}))
    one = np.random.default_rng(1).integers(0, 256, (1, 8, 12, 3), dtype=np.uint8)
    guarded.set_tensor(7, one)
    assert "x1" in failing(guarded.invoke)
    guarded.set_tensor(8, one)
    guarded.invoke()
    guarded.set_tensor(8, one[..., ::-1].copy())  # the other input keeps what it holds
    guarded.invoke()


def test_a_warning_lets_it_run() -> None:
    session = Session("images")
    guarded: Any = guard(session, contract("onnx", PICTURE), "warn")
    with pytest.warns(GuardWarning):
        guarded.run(None, {"images": picture().astype(np.float64)})
    assert session.runs == 1


def test_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREPCHECK_GUARD", "off")
    guarded: Any = guard(Session("images"), contract("onnx", PICTURE))
    guarded.run(None, {"images": picture()[0]})


def test_a_shared_guard() -> None:
    shared = Guard(contract("onnx", PICTURE))
    guarded: Any = guard(Session("images"), shared)
    guarded.run(None, {"images": picture()})
    assert shared.stats()["calls"] == 1


def test_onnxruntime_itself(tmp_path: Path) -> None:
    ort = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed (extra onnx)")
    net = classifier()
    net.outputs = [value_info("scores", 1, [1, 2, 8, 12])]
    path = tmp_path / "m.onnx"
    path.write_bytes(net.model())
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    guarded: Any = guard(session, load(path))
    good = picture()
    (answer,) = guarded.run(["scores"], {"images": good})
    assert np.allclose(answer, session.run(["scores"], {"images": good})[0])
    assert guarded.run(None, {"images": ort.OrtValue.ortvalue_from_numpy(good)})
    view = np.moveaxis(np.ascontiguousarray(np.moveaxis(good, 1, -1)), -1, 1)  # a view: the runtime copies it right
    assert np.allclose(guarded.run(None, {"images": view})[0], answer)
    for wrong in (good.astype(np.float64), good[0], np.moveaxis(good, 1, -1).copy()):
        assert "GD" in failing(guarded.run, None, {"images": wrong})
        with pytest.raises(Exception, match=r"(?i)invalid|unexpected"):
            session.run(None, {"images": wrong})


def test_litert_itself(tmp_path: Path) -> None:
    lite = pytest.importorskip("ai_edge_litert.interpreter", reason="ai-edge-litert is not installed (extra tflite)")
    for quantized in (False, True):
        path = tmp_path / f"{quantized}.tflite"
        path.write_bytes(convolution(quantized=quantized).build())
        interpreter = lite.Interpreter(model_path=str(path))
        interpreter.allocate_tensors()
        details, outputs = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
        read = load(path).inputs[0]
        assert (read.name, read.shape) == (details["name"], details["shape"].tolist())
        assert np.dtype(details["dtype"]).name == read.dtype
        scale, zero = details["quantization"]
        assert (read.scale or 0.0, read.zero_point or 0) == (pytest.approx(scale), zero)
        guarded: Any = guard(interpreter, load(path))
        good = (np.random.default_rng(3).random((1, 8, 12, 3)) * 255).astype(details["dtype"])
        guarded.set_tensor(details["index"], good)
        guarded.invoke()
        assert guarded.get_tensor(outputs["index"]).shape == (1, 8, 12, 2)
        wrong = good.astype(np.float64)
        assert "GD012" in failing(guarded.set_tensor, details["index"], wrong)
        with pytest.raises(ValueError, match="type"):
            interpreter.set_tensor(details["index"], wrong)


def test_the_guard_of_one_file_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    from prepcheck.guarding.py_guard import py_guard

    path = tmp_path / "session_guard.py"
    path.write_text(py_guard(contract("onnx", PICTURE)), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("session_guard", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "session_guard", module)
    spec.loader.exec_module(module)
    guarded = module.guard(Session("images"))
    guarded.run(None, {"images": picture()})
    with pytest.raises(module.CheckFailed, match="GD037"):
        guarded.run(None, {"x": picture()})
