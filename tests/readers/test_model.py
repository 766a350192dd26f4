"""Which reader a file goes to: the content decides, and a name that promises another kind of model is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prepcheck.errors import CorruptError, NotFoundError, PrepcheckError, WrongKindError
from prepcheck.readers.model import read_model, read_model_source
from prepcheck.wire import jsontext
from prepcheck.wire.source import Source
from tests.readers import mnn_builder, rknn_builder, tflite_builder
from tests.readers.mnn_builder import CONVOLUTION, INPUT, Operator
from tests.readers.onnx_builder import Network, classifier, weight

MNN = mnn_builder.build([Operator(INPUT, outputs=(0,), dims=(1, 3, 8, 8))], ["image"])
BARE = json.dumps(rknn_builder.rknn1_json()).encode()
FILES = {
    "mnn": MNN,
    "rknn1": rknn_builder.rknn1(rknn_builder.rknn1_json()),
    "rknn": rknn_builder.build(),
    "onnx": classifier().model(),
    "tflite": tflite_builder.convolution().build(),
}


def runtime(data: bytes, name: str) -> str | None:
    return read_model_source(Source.from_bytes(data, "shown"), name).runtime


def refused(data: bytes, name: str) -> tuple[str | None, str]:
    with pytest.raises(PrepcheckError) as caught:
        read_model_source(Source.from_bytes(data, "shown"), name)
    return caught.value.kind, caught.value.message


def test_the_content_decides_whatever_the_name_is() -> None:
    for name in ("m", "m.bin", "mnn", "m.rknn.bak", ""):
        assert {kind: runtime(data, name) for kind, data in FILES.items()} == {kind: kind for kind in FILES}
        assert read_model_source(Source.from_bytes(BARE, "shown"), name).container == "rknn1 json"


def test_a_name_that_promises_the_kind_that_is_there() -> None:
    for name in ("m.mnn", "M.MNN", "a.rknn/m.Mnn"):
        assert runtime(FILES["mnn"], name) == "mnn"
    for name in ("m.rknn", "m.RKNN"):
        assert (runtime(FILES["rknn1"], name), runtime(FILES["rknn"], name)) == ("rknn1", "rknn")
        assert runtime(BARE, name) == "rknn1"


def test_a_name_that_promises_another_kind() -> None:
    no_mnn, no_rknn = ", not an .mnn model (", ", not a .rknn model ("
    for kind, name, told, words in (
        ("rknn1", "m.mnn", "rknn", no_mnn),
        ("rknn", "m.MNN", "rknn", no_mnn),
        ("mnn", "m.rknn", "mnn", no_rknn),
        ("onnx", "m.rknn", "onnx", no_rknn),
        ("onnx", "m.mnn", "onnx", no_mnn),
        ("tflite", "m.rknn", "tflite", no_rknn),
        ("tflite", "m.mnn", "tflite", no_mnn),
    ):
        found, message = refused(FILES[kind], name)
        assert found == told
        assert message.startswith("shown is ")
        assert words in message
    assert refused(BARE, "m.mnn")[0] == "json"


def test_what_is_no_model() -> None:
    assert refused(b"some text", "m") == (
        "text",
        "shown is a text file (9 bytes, the first are 73 6f 6d 65 20 74 65 78 74): give the model.",
    )
    assert "text file, not a .rknn model" in refused(b"some text", "m.rknn")[1]
    assert refused(bytes(range(200, 255)), "m")[0] == "unknown"
    assert "not an .mnn model" in refused(bytes(range(200, 255)), "m.mnn")[1]
    assert "not a .rknn model" in refused(bytes(range(200, 255)), "m.rknn")[1]


def test_a_damaged_head_of_a_model_is_called_damaged_under_the_name_of_one() -> None:
    """The first four bytes refer to nowhere; the root table lies where it did."""
    damaged = b"\xf1\xf0\x00\x00" + MNN[4:]
    with pytest.raises(CorruptError, match="beginning of an MNN model is damaged"):
        read_model_source(Source.from_bytes(damaged, "shown"), "m.mnn")
    assert refused(damaged, "m")[0] == "unknown"


def test_json_that_is_no_rknn_model_is_called_json(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (b'{"graph": []}', b'{"a": }', b"[1, 2]"):
        for name in ("m", "m.rknn", "m.mnn"):
            assert refused(data, name)[0] == "json"
    monkeypatch.setattr(jsontext, "MAX_BYTES", len(BARE))
    assert runtime(BARE, "m") == "rknn1"
    monkeypatch.setattr(jsontext, "MAX_BYTES", len(BARE) - 1)
    assert refused(BARE, "m")[0] == "json"


def test_each_reader_knows_the_name() -> None:
    """Where messages and files beside the model need it."""
    nowhere = rknn_builder.rknn1_json(graph=[])
    for data in (json.dumps(nowhere).encode(), rknn_builder.rknn1(nowhere)):
        assert refused(data, "given")[1] == "given: the JSON part names no input."
    assert refused(rknn_builder.build(rknn_builder.M(batch="x")), "given")[1].startswith("given: the batch size is 'x'")


def test_weights_beside_a_model_are_looked_for_where_it_lies(tmp_path: Path) -> None:
    steps = [
        Operator(INPUT, outputs=(0,), dims=(1, 3, 8, 8)),
        Operator(CONVOLUTION, (0,), (1,), conv=(1, 3, 2, 1), external=(0, 24)),
    ]
    path = tmp_path / "m.mnn"
    path.write_bytes(mnn_builder.build(steps, ["x", "y"]))
    assert [n.kind for n in read_model(path).notes] == ["external_weight_missing"]
    (tmp_path / "m.mnn.weight").write_bytes(b"\x01" * 24)
    assert [n.kind for n in read_model(str(path)).notes] == []

    net: Network = classifier()
    net.weights[:] = [weight("w", [2, 3, 1, 1], external="w.bin")]
    (tmp_path / "m").write_bytes(net.model())
    assert [n.kind for n in read_model(tmp_path / "m").notes] == ["onnx_external_missing"]
    (tmp_path / "w.bin").write_bytes(bytes(24))
    assert [n.kind for n in read_model(tmp_path / "m").notes] == []


def test_a_path_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="cannot be opened"):
        read_model(tmp_path / "m.rknn")
    (tmp_path / "m.rknn").write_bytes(b"PK\x03\x04")
    with pytest.raises(WrongKindError) as caught:
        read_model(tmp_path / "m.rknn")
    assert caught.value.message.startswith(f"{tmp_path / 'm.rknn'} is a zip archive")
