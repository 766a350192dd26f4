"""What a file is by its first bytes, and the refusal that says so."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from prepcheck.errors import EmptyFileError, NotFoundError, PrepcheckError, WrongKindError
from prepcheck.readers.digest import sha256
from prepcheck.readers.kinds import HEAD, KINDS, refusal
from prepcheck.readers.model import read_model, read_model_source
from prepcheck.readers.sniff import sniff, sniff_head
from prepcheck.wire.source import Source

MODELS = Path(__file__).parents[1] / "data" / "models"

SAMPLES = {
    "rknn": b"RKNN" + bytes(60),
    "rknn_encrypted": b"CYPTRKNN\x02" + bytes(60),
    "rknn_payload": b"\x50\x00\x00\x00RKNN" + bytes(60),
    "vivante_nbg": b"VPMN\x0b\x00\x01\x00" + bytes(60),
    "onnx": b"\x08\x08\x12\x07pytorch",
    "tflite": b"\x1c\x00\x00\x00TFL3" + bytes(60),
    "zip": b"PK\x03\x04" + bytes(60),
    "gzip": b"\x1f\x8b\x08" + bytes(60),
    "xz": b"\xfd7zXZ\x00" + bytes(60),
    "zstd": b"\x28\xb5\x2f\xfd" + bytes(60),
    "bzip2": b"BZh91AY" + bytes(60),
    "7z": b"7z\xbc\xaf\x27\x1c" + bytes(60),
    "rar": b"Rar!\x1a\x07\x00",
    "tar": b"name".ljust(257, b"\x00") + b"ustar\x0000",
    "elf": b"\x7fELF\x02\x01",
    "pe": b"MZ\x90\x00\x03" + bytes(90),
    "gguf": b"GGUF\x03\x00\x00\x00",
    "safetensors": (40).to_bytes(8, "little") + b'{"a": 1}'.ljust(40),
    "hdf5": b"\x89HDF\r\n\x1a\n" + bytes(60),
    "pickle": b"\x80\x02}q\x00\x00\x00",
    "npy": b"\x93NUMPY\x01\x00",
    "png": b"\x89PNG\r\n\x1a\n\x00",
    "jpeg": b"\xff\xd8\xff\xe0\x00",
    "gif": b"GIF89a\x00",
    "webp": b"RIFF\x10\x00\x00\x00WEBPVP8 ",
    "bmp": b"BM" + (50).to_bytes(4, "little") + bytes(44),
    "tiff": b"II*\x00\x08\x00\x00\x00",
    "pdf": b"%PDF-1.7\n%\xe2\xe3",
    "ncnn": b"7767517\n3 3\nInput",
    "html": b"\n  <!DOCTYPE HTML><html>",
    "xml": b'<?xml version="1.0"?><net/>',
    "json": b'  {"a": [1, 2]}',
    "yaml": b"prepcheck: plan/v1\nruntime: rknn\n",
    "git_lfs_pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1234\n",
    "utf16": b"\xff\xfeh\x00i\x00",
    "text": "héllo wörld, kein Modell\n".encode(),
    "unknown": bytes(range(200, 255)),
}


@pytest.mark.parametrize("kind", SAMPLES)
def test_kinds(kind: str) -> None:
    assert sniff_head(SAMPLES[kind], len(SAMPLES[kind])) == kind


def test_every_kind_that_bytes_can_show_has_a_sample() -> None:
    by_path = {"fifo", "socket", "device", "special", "folder"}
    assert set(KINDS) - by_path - {"mnn"} == set(SAMPLES)


@pytest.mark.parametrize("name", sorted(p.name for p in (MODELS / "rknn").glob("*.rknn")))
def test_our_models_are_rknn(name: str) -> None:
    with Source.open(MODELS / "rknn" / name) as source:
        assert sniff(source) == "rknn"


def test_refusals_name_the_file_and_what_to_do() -> None:
    for kind, data in SAMPLES.items():
        for expected in ("", "rknn", "mnn"):
            fault = refusal(Source.from_bytes(data, "a.bin"), kind, expected)
            assert fault.message.startswith("a.bin is ")
            assert fault.kind == kind
            assert ": " in fault.message
            assert "{" not in fault.message


def test_refusals_advise_the_right_converter() -> None:
    source = Source.from_bytes(SAMPLES["onnx"], "m.rknn")
    assert "rknn-toolkit2" in refusal(source, "onnx", "rknn").message
    assert "MNNConvert" in refusal(source, "onnx", "mnn").message
    pointer = refusal(Source.from_bytes(SAMPLES["git_lfs_pointer"], "m"), "git_lfs_pointer")
    assert "git lfs pull" in pointer.message
    assert "1234 in the real file" in pointer.message
    assert pointer.code == "git_lfs_pointer"


@pytest.mark.parametrize(
    "data", [b"\x08\x00\x12\x01", b"\x08\x15\x12\x01", b"\x08\x08\x0a\x01", b"\x08\x08\x3d\x01", b"\x08\x08"]
)
def test_what_only_begins_like_onnx(data: bytes) -> None:
    assert sniff_head(data, len(data)) != "onnx"


@pytest.mark.parametrize("data", [b"\x08\x08\xa2\x01\x02", b"\x08\x0a\x28\x01", b"\x08\x03\x72\x04"])
def test_onnx_in_other_orders(data: bytes) -> None:
    assert sniff_head(data, len(data)) == "onnx"


def test_text_cut_inside_a_character() -> None:
    data = ("x" * (HEAD - 1) + "é" * 10).encode()
    assert sniff_head(data[:HEAD], len(data)) == "text"


def test_empty() -> None:
    with pytest.raises(EmptyFileError):
        sniff(Source.from_bytes(b"", "m"))


@pytest.mark.parametrize("name,kind", [("a.mnn", "rknn"), ("A.MNN", "rknn")])
def test_the_extension_must_not_promise_another_model(name: str, kind: str) -> None:
    data = (MODELS / "rknn" / "v1_two_inputs.rknn").read_bytes()
    with pytest.raises(WrongKindError) as caught:
        read_model_source(Source.from_bytes(data, name), name)
    assert caught.value.kind == kind
    for other in ("a", "a.bin", "a.RKNN", "mnn"):
        assert read_model_source(Source.from_bytes(data, other), other).runtime == "rknn1"


def test_json_that_is_no_model() -> None:
    for data in (b'{"norm_tensor": []}', b'{"norm_tensor": [], "graph": []}', b'{"a": }', b"[1, 2]"):
        with pytest.raises(WrongKindError) as caught:
            read_model_source(Source.from_bytes(data, "m.rknn"), "m.rknn")
        assert caught.value.kind == "json"


def test_no_file() -> None:
    with pytest.raises(NotFoundError):
        read_model("/no/such/model.rknn")
    with pytest.raises(PrepcheckError):
        read_model(MODELS)


def test_digest(tmp_path: Path) -> None:
    data = bytes(range(256)) * 5000
    (tmp_path / "a").write_bytes(data)
    assert sha256(tmp_path / "a") == hashlib.sha256(data).hexdigest()
    assert sha256(tmp_path / "a", limit=len(data)) is not None
    assert sha256(tmp_path / "a", limit=len(data) - 1) is None
    (tmp_path / "b").write_bytes(b"")
    assert sha256(tmp_path / "b") == hashlib.sha256().hexdigest()
