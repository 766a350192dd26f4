"""ONNX files: contracts, order of axes by rule, weights elsewhere, huge and damaged files; against the onnx package."""

from __future__ import annotations

import os
import random
from pathlib import Path
from types import ModuleType

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.errors import CorruptError, PrepcheckError, WrongKindError
from prepcheck.readers.model import read_model, read_model_source
from prepcheck.readers.onnx import read_onnx
from prepcheck.wire.source import Source
from tests.cli.run import prepcheck, report
from tests.readers.onnx_builder import (
    FLOAT,
    FLOAT16,
    INT64,
    UINT8,
    Network,
    blob,
    classifier,
    node,
    number,
    value_info,
    weight,
)


def contract(data: bytes, name: str = "m.onnx") -> Contract:
    return read_model_source(Source.from_bytes(data, name), name)


def test_contract() -> None:
    net = classifier()
    net.metadata = {"task": "detect", "stride": "32"}
    found = contract(net.model())
    assert found.runtime == "onnx"
    assert found.toolkit == "pytorch 2.1.0"
    assert (found.batch, found.quantized) == (1, False)
    assert {k: found.metadata[k] for k in ("opset", "ir_version", "task", "stride")} == {
        "opset": "13", "ir_version": "8", "task": "detect", "stride": "32",
    }  # fmt: skip
    (tensor,) = found.inputs
    assert (tensor.name, tensor.shape, tensor.dtype, tensor.layout, tensor.size) == (
        "images",
        [1, 3, 8, 12],
        "float32",
        "NCHW",
        1152,
    )
    assert tensor.provenance["layout"] == "rule:ON-AXES"
    assert found.outputs[0].shape == [1, 2, 8, 12]


def test_the_order_of_axes_by_a_transpose() -> None:
    (tensor,) = contract(classifier(nhwc=True, dtype=UINT8).model()).inputs
    assert (tensor.layout, tensor.dtype, tensor.provenance["layout"]) == ("NHWC", "uint8", "rule:ON-TRANSPOSE")


def test_no_order_where_nothing_says_it() -> None:
    net = Network(
        [value_info("x", FLOAT, [1, 3, 8, 8])],
        [value_info("y", FLOAT, [1, 3, 8, 8])],
        [node("MatMul", ["x", "w"], ["y"])],
    )
    assert contract(net.model()).inputs[0].layout is None


def test_open_axes_and_their_names() -> None:
    found = contract(classifier(batch="batch").model())
    assert found.inputs[0].shape == [-1, 3, 8, 12]
    assert found.metadata["dims images"] == "batch, 3, 8, 12"
    assert found.batch is None


def test_weights_among_the_inputs_are_no_inputs() -> None:
    net = classifier()
    net.ir = 3  # before 4 every weight stands among the inputs too
    net.inputs.append(value_info("w", FLOAT, [2, 3, 1, 1]))
    assert [t.name for t in contract(net.model()).inputs] == ["images"]


def test_quantised_operators_and_other_types() -> None:
    net = classifier()
    net.nodes.insert(0, node("QuantizeLinear", ["images", "s", "z"], ["q"]))
    net.inputs += [value_info("ids", INT64, [1, 7]), value_info("half", FLOAT16, None)]
    found = contract(net.model())
    assert found.quantized
    assert [t.dtype for t in found.inputs] == ["float32", "int64", "float16"]
    assert found.inputs[2].shape is None


def test_external_weights(tmp_path: Path) -> None:
    net = classifier()
    net.weights = [weight("w", [2, 3, 1, 1], external="m.onnx.data"), weight("v", [1], external="../secret")]
    path = tmp_path / "m.onnx"
    path.write_bytes(net.model())
    found = report("inspect", path, code=1)["findings"]
    assert [f["rule"] for f in found] == ["CT046"]
    assert "m.onnx.data" in found[0]["message"]
    (tmp_path / "m.onnx.data").write_bytes(bytes(24))
    assert "../secret" in report("inspect", path, code=1)["findings"][0]["message"]


def test_a_large_file_is_read_in_no_time(tmp_path: Path) -> None:
    """1.9 GiB of weights, sparse: they are stepped over."""
    head = classifier()
    big = 1 << 30
    tensor = weight("big", [big // 4], data=b"")[:-2]  # without the empty raw_data field
    raw = b"\x4a" + b"\x80\x80\x80\x80\x04"  # field 9, length 2^30
    initializer = b"\x2a" + _varint(len(tensor) + len(raw) + big) + tensor + raw
    inside = head.graph()
    graph = b"\x3a" + _varint(len(initializer) + big + len(inside))
    path = tmp_path / "big.onnx"
    with path.open("wb") as stream:
        stream.write(number(1, 8) + blob(2, "pytorch") + graph + initializer)
        stream.seek(big, os.SEEK_CUR)
        stream.write(inside + blob(8, blob(1, "") + number(2, 17)))
    with Source.open(path) as source:
        found = read_onnx(source, str(path))
        assert source.total_read < 64 << 10
    assert found.inputs[0].name == "images"
    assert found.metadata["opset"] == "17"


def _varint(value: int) -> bytes:
    return number(1, value)[1:]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (number(1, 8) + blob(2, "x"), "no graph"),
        (classifier().model() * 2, "a second graph"),
        (number(1, 8) + b"\x3a\xff\x7f", "announces 16383 bytes"),
        (number(1, 8) + blob(2, "x") + b"\x3b", "wire type 3"),
        (number(1, 8) + blob(2, "x") + b"\x80" * 11, "does not end"),
        (number(1, 8) + blob(2, "x") + b"\x02\x00", "cannot have the number 0"),
        (number(1, 8) + blob(2, "x") + blob(7, blob(1, number(1, 5))), "wire type 0; 2 is expected"),
    ],
)
def test_damage_is_named(data: bytes, says: str) -> None:
    with pytest.raises(CorruptError, match=r"byte|no graph") as caught:
        contract(data)
    assert says in caught.value.message


def test_any_damage_is_a_named_error() -> None:
    rng = random.Random(5)
    seed = classifier(nhwc=True).model()
    for _ in range(3000):
        data = bytearray(seed)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        cut = bytes(data[: rng.choice((len(data), rng.randrange(1, len(data))))])
        try:
            read_onnx(Source.from_bytes(cut, "m"), "m")
        except PrepcheckError as error:
            if error.code not in ("corrupt", "truncated", "too_large"):
                raise


def test_nesting_and_counts_are_bounded() -> None:
    with pytest.raises(CorruptError):
        contract(number(1, 8) + blob(7, blob(12, blob(2, blob(1, blob(2, b"\x0a\x02\x08\x05" * 100))))))
    body = number(1, 8) + blob(7, b"\x0a\x00" * 100_000)
    assert contract(body).inputs == []


def test_under_another_runtime_s_name_it_is_refused() -> None:
    for name, words in (("m.rknn", "not a .rknn model"), ("m.mnn", "not an .mnn model")):
        with pytest.raises(WrongKindError, match=words) as caught:
            contract(classifier().model(), name)
        assert caught.value.kind == "onnx"


def test_validate_follows_a_picture(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (12, 8), (1, 2, 3)).save(tmp_path / "a.png")
    (tmp_path / "m.onnx").write_bytes(classifier().model())
    found = report("validate", tmp_path / "m.onnx", tmp_path / "a.png", code=0)
    assert [s["step"] for s in found["path"]["images"]][:3] == ["decode", "cast", "transpose"]
    assert "session.run(None, {'images': array})" in found["hand_over"][0]["sentence"]
    text = prepcheck("inspect", tmp_path / "m.onnx")
    assert text.returncode == 0
    assert "1152 bytes" in text.stdout


def test_an_open_batch_is_judged_for_one_picture(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (12, 8), (1, 2, 3)).save(tmp_path / "a.png")
    (tmp_path / "m.onnx").write_bytes(classifier(batch="batch").model())
    found = report("validate", tmp_path / "m.onnx", tmp_path / "a.png", code=0)
    assert found["contract"]["inputs"][0]["shape"] == [1, 3, 8, 12]
    assert found["contract"]["inputs"][0]["dynamic"] == [[-1, 3, 8, 12]]
    assert "1152 bytes" in found["hand_over"][0]["sentence"]
    wrong = report("validate", tmp_path / "m.onnx", tmp_path / "a.png", "--plan", "resnet", code=1)
    assert [f["rule"] for f in wrong["findings"] if f["severity"] == "error"] == ["SZ010"]
    plan = prepcheck("init", tmp_path / "m.onnx", "-o", tmp_path / "p.yaml")
    assert plan.returncode == 0
    assert report("validate", "--plan", tmp_path / "p.yaml", code=0)["verdict"] == "ok"


def test_a_normalised_buffer_is_no_fault_where_nobody_said_otherwise(tmp_path: Path) -> None:
    import numpy as np
    from PIL import Image

    pixels = np.random.default_rng(2).integers(0, 256, (8, 12, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    (tmp_path / "m.onnx").write_bytes(classifier().model())
    values = (pixels / 255 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    for name, array, code in (("right", np.moveaxis(values, -1, 0)[None], 0), ("interleaved", values[None], 1)):
        np.save(tmp_path / f"{name}.npy", array.astype(np.float32))
        report("validate", tmp_path / "m.onnx", tmp_path / "a.png", "--buffer", tmp_path / f"{name}.npy", code=code)


def test_against_the_onnx_package() -> None:
    """The models of onnx's own backend tests: names, types and shapes of inputs and outputs."""
    onnx = pytest.importorskip("onnx", reason="the onnx package is not installed (extra onnx)")
    files = sorted((Path(onnx.__file__).parent / "backend" / "test" / "data").glob("*/*/model.onnx"))
    assert len(files) > 100
    assert sum(agrees(onnx, path) for path in files[::3]) > 80


def agrees(onnx: ModuleType, path: Path) -> int:
    """How many tensors of a file were compared; fails where one differs."""
    model = onnx.load(path, load_external_data=False)
    found = read_model(path)
    weights = {t.name for t in model.graph.initializer}
    compared = 0
    sides = (("inputs", [v for v in model.graph.input if v.name not in weights]), ("outputs", list(model.graph.output)))
    for side, values in sides:
        for value, tensor in zip(values, getattr(found, side), strict=True):
            assert value.name == tensor.name
            if not value.type.HasField("tensor_type"):
                continue
            kind = value.type.tensor_type
            if tensor.dtype is not None:
                assert onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type).name == tensor.dtype
            if kind.HasField("shape"):
                dims = [d.dim_value if d.HasField("dim_value") and d.dim_value > 0 else -1 for d in kind.shape.dim]
                assert tensor.shape == dims
            compared += 1
    return compared
