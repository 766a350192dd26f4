"""Arrays on their way into a child process, and what the user is told where the child's library refuses."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prepcheck.app.npz import packed, unpacked
from prepcheck.app.serving import Server, ServingError

needs_onnx = pytest.mark.skipif(
    importlib.util.find_spec("onnxruntime") is None or importlib.util.find_spec("onnx") is None,
    reason="onnxruntime or onnx is not installed (the onnx and bench extras)",
)


@pytest.mark.parametrize("name", ["images", "file", "allow_pickle", "a/b:0", "", "x.npy", "画像"])
def test_any_name_of_a_tensor_arrives(name: str) -> None:
    given = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    found = unpacked(packed({name: given, "other": np.float32(2.5)}))
    assert set(found) == {f"i:{name}", "i:other"}
    assert np.array_equal(found[f"i:{name}"], given)
    assert found["i:other"].shape == ()


def test_the_order_in_memory_does_not_matter() -> None:
    plain = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for other in (np.asfortranarray(plain), np.repeat(plain, 2, axis=2)[..., ::2], plain[::-1][::-1]):
        assert packed({"x": other}) == packed({"x": plain})


def identity(path: Path) -> Path:
    import onnx
    from onnx import TensorProto, helper

    graph = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["y"])], "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3])],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.save(model, str(path))
    return path


@needs_onnx
def test_many_inputs_one_after_the_other(tmp_path: Path) -> None:
    with Server(identity(tmp_path / "m.onnx"), onnx=True) as server:
        assert [(p.name, p.shape, p.type) for p in server.inputs] == [("x", (1, 3), "tensor(float)")]
        assert server.outputs == ("y",)
        for start in (0.0, 7.0):
            given = np.arange(3, dtype=np.float32)[None] + np.float32(start)
            assert np.array_equal(server.run({"x": given})["y"], given)


@needs_onnx
def test_an_interruption_leaves_no_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    children = []

    def interrupted(self: Server) -> bytes:
        children.append(self._child)
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "_receive", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Server(identity(tmp_path / "m.onnx"), onnx=True)
    assert [child.poll() is not None for child in children] == [True]


@needs_onnx
def test_a_refusal_to_load_names_the_error(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(b"\x08\x07" + bytes(300))
    with pytest.raises(ServingError, match=r"onnxruntime cannot load it: \w+: \S"):
        Server(tmp_path / "m.onnx", onnx=True)


@needs_onnx
@pytest.mark.parametrize(
    "given",
    [{"x": np.zeros((1, 4), np.float32)}, {"x": np.zeros((1, 3), np.int64)}, {"z": np.zeros((1, 3), np.float32)}],
)
def test_a_refusal_to_run_names_the_error(given: dict[str, Any], tmp_path: Path) -> None:
    with Server(identity(tmp_path / "m.onnx"), onnx=True) as server:
        with pytest.raises(ServingError) as caught:
            server.run(given)
        assert re.search(r"onnxruntime cannot run it: \w+: \S", caught.value.message)
        assert "\n" not in caught.value.message
