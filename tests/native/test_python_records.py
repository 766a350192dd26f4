"""Records of Python programs are read by the same readers: the toolkits' events, and real MNN where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from prepcheck.contract.plan import Plan
from prepcheck.readers.record import record_to_plan
from prepcheck.wire.pcrec import JsonValue
from prepcheck.wire.pcrec_write import PcrecWriter, content_hash

FRAME = bytes(range(192)) * 2


def toolkit_record(path: Path) -> Path:
    """As `prepcheck trace` writes it for a script over rknn-toolkit2."""
    with PcrecWriter(path, "prepcheck record (Python)") as writer:
        head: dict[str, JsonValue] = {"net": 1, "library": "rknn-toolkit2", "version": "2.3.2"}
        config: JsonValue = {"mean_values": [[0, 0, 0]], "std_values": [[255, 255, 255]], "target_platform": "rk3588"}
        writer.event("toolkit.config", {**head, "arguments": config, "ret": 0})
        writer.event("toolkit.load_onnx", {**head, "arguments": {"model": "m.onnx"}, "ret": 0})
        writer.event("toolkit.build", {**head, "arguments": {"do_quantization": True, "rknn_batch_size": 2}, "ret": 0})
        array: JsonValue = {
            "buffer": "0x1000", "shape": [1, 8, 16, 3], "dtype": "uint8", "size": 384, "contiguous": False,
            "strides": [768, 96, 6, -1], "parent_size": 768, "hash": content_hash(FRAME), "blob": writer.blob(FRAME),
        }  # fmt: skip
        arguments: JsonValue = {"data_format": ["nhwc"], "inputs_pass_through": [0]}
        writer.event("toolkit.inference", {**head, "inputs": [array], "arguments": arguments, "ret": -1})
        writer.event(
            "toolkit.inference", {**head, "inputs": [array], "arguments": {}, "raised": "ValueError: no", "ret": -1}
        )
    return path


def test_a_toolkit_script_becomes_a_plan(tmp_path: Path) -> None:
    recorded = record_to_plan(toolkit_record(tmp_path / "py.pcrec"))
    plan = Plan.model_validate(recorded.plan)
    assert (plan.runtime, plan.platform) == ("rknn", "rk3588")
    assert plan.model is not None
    assert plan.model.build is not None
    assert (plan.model.build.mean, plan.model.build.std) == ([[0, 0, 0]], [[255, 255, 255]])
    assert (plan.model.build.quantized, plan.model.build.batch_size, plan.model.build.toolkit) == (True, 2, "2.3.2")
    first = plan.calls[0]
    assert first.api == "inference"
    assert (first.library, first.inputs, first.data_format, first.ret) == ("rknn-toolkit2", ["array0"], ["nhwc"], -1)
    buffer = plan.buffers["array0"]
    assert (buffer.shape, buffer.strides, buffer.size, buffer.contiguous) == (
        [1, 8, 16, 3],
        [768, 96, 6, -1],
        768,
        False,
    )
    assert recorded.model.path == "m.onnx"
    assert recorded.runs == 2
    assert recorded.input_bytes(0) == FRAME
    assert recorded.notes == ("inference raised ValueError: no",)


def test_real_mnn_from_python_and_cxx_events_are_the_same(tmp_path: Path) -> None:
    MNN = pytest.importorskip("MNN")
    found = Path(__file__).parents[1] / "data" / "models" / "mnn" / "c3_nchw.mnn"
    if not found.exists():
        pytest.skip(f"{found} is not in this checkout")
    import numpy as np

    from prepcheck.guarding.tracing import record

    with record(tmp_path / "mnn.pcrec"):
        net = MNN.Interpreter(str(found))
        session = net.createSession({"numThread": 2})
        tensor = net.getSessionInput(session)
        shape = tuple(tensor.getShape())
        values = np.zeros(shape, np.float32)
        tensor.copyFrom(MNN.Tensor(shape, MNN.Halide_Type_Float, values, MNN.Tensor_DimensionType_Caffe))
        net.runSession(session)
        tensor.fromNumpy(values)
        net.runSession(session)
    recorded = record_to_plan(tmp_path / "mnn.pcrec")
    plan = Plan.model_validate(recorded.plan)
    assert (plan.runtime, plan.backend) == ("mnn", "cpu")
    assert [c.api for c in plan.calls] == ["copyFrom", "runSession", "Tensor.fromNumpy", "runSession"]
    assert recorded.runs == 2
