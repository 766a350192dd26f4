"""The words in which a file that is no model is refused: what it is, and what to do about it."""

from __future__ import annotations

import re

import pytest
from syrupy.assertion import SnapshotAssertion

from prepcheck.errors import EncryptedError, GitLfsPointerError, WrongKindError
from prepcheck.readers.kinds import KINDS, refusal
from prepcheck.wire.source import Source

NAMES = {
    "rknn": "a Rockchip .rknn model",
    "mnn": "an MNN model",
    "onnx": "an ONNX model",
    "tflite": "a TensorFlow Lite model",
    "zip": "a zip archive, as PyTorch's .pt and .pth files are",
    "pickle": "a Python pickle, as old PyTorch .pt files are",
}


def said(data: bytes, kind: str, expected: str = "") -> str:
    return refusal(Source.from_bytes(data, "f"), kind, expected).message


def test_every_refusal_names_the_kind_the_first_bytes_and_the_remedy(snapshot: SnapshotAssertion) -> None:
    shown = {}
    for kind in sorted(set(KINDS) - {"git_lfs_pointer", "rknn_encrypted"}):  # these two: below
        fault = refusal(Source.from_bytes(b"\x01\x02", "f"), kind)
        assert (type(fault), fault.kind) == (WrongKindError, kind)
        assert re.fullmatch(r"f is .+ \(2 bytes, the first are 01 02\): .+\.", fault.message)
        shown[kind] = fault.message
    assert shown == snapshot


def test_only_the_first_sixteen_bytes_are_shown() -> None:
    shown = " ".join(f"{n:02x}" for n in range(1, 17))
    assert f"(40 bytes, the first are {shown}): " in said(bytes(range(1, 41)), "text")


def test_the_name_of_the_file_says_which_converter_is_advised() -> None:
    toolkit = "convert it with rknn-toolkit2 ({}, build, export_rknn) and give the .rknn."
    converter = "convert it with MNNConvert (-f {}) and give the .mnn."
    wanted = {
        ("onnx", "rknn"): toolkit.format("load_onnx"),
        ("tflite", "rknn"): toolkit.format("load_tflite"),
        ("pickle", "rknn"): "export the network to ONNX or TorchScript and convert that with rknn-toolkit2.",
        ("zip", "rknn"): "unpack it, or export the network to ONNX or TorchScript and convert that with rknn-toolkit2.",
        ("onnx", "mnn"): converter.format("ONNX"),
        ("tflite", "mnn"): converter.format("TFLITE"),
        ("pickle", "mnn"): "export the network to ONNX and convert that with MNNConvert.",
        ("zip", "mnn"): "unpack it, or export the network to ONNX and convert that with MNNConvert.",
    }
    promised = {"rknn": ", not a .rknn model", "mnn": ", not an .mnn model"}
    for (kind, expected), advice in wanted.items():
        what = NAMES[kind]
        message = f"f is {what}{promised[expected]} (2 bytes, the first are 01 02): {advice}"
        assert said(b"\x01\x02", kind, expected) == message


@pytest.mark.parametrize("kind", ["rknn", "mnn"])
def test_a_model_is_never_called_no_model_of_its_own_kind(kind: str) -> None:
    assert said(b"\x01", kind, kind) == (
        f"f is {NAMES[kind]} (1 bytes, the first are 01): give it under its own name, with the extension .{kind}."
    )


def test_a_file_of_zeros_was_reserved_and_never_written() -> None:
    """The first 4096 bytes are looked at; with one other byte among them it is only unknown."""
    never = "it was reserved and never written, or a copy failed: copy it again."
    assert said(bytes(20), "unknown") == (
        f"f is all zeros in its first 20 bytes (20 bytes, the first are {'00 ' * 15}00): {never}"
    )
    far = said(bytes(4096) + b"\x01", "unknown", "mnn")
    assert far.startswith("f is all zeros in its first 4096 bytes, not an .mnn model (4097 bytes, ")
    assert far.endswith(never)
    assert said(bytes(4095) + b"\x01", "unknown").startswith("f is of no kind that is known here (4096 bytes")
    assert said(bytes(20), "text").startswith("f is a text file")  # only where nothing else is known


def test_a_pointer_of_git_lfs_tells_both_sizes() -> None:
    """The pointer's form: git-lfs, docs/spec.md."""
    start = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n"
    what, run = "f is the text that Git LFS leaves in place of the content", "run `git lfs pull` in the repository."
    fault = refusal(Source.from_bytes(start + b"size 1234\n", "f"), "git_lfs_pointer", "rknn")
    assert (type(fault), fault.kind) == (GitLfsPointerError, "git_lfs_pointer")
    assert fault.message == f"{what} (67 bytes here, 1234 in the real file): {run}"
    assert said(start + b"size 77\r\n", "git_lfs_pointer") == f"{what} (66 bytes here, 77 in the real file): {run}"
    for odd in (b"", b"size x\n", b"size " + b"9" * 19 + b"\n", b"a size 5\n", bytes(1024) + b"\nsize 5\n"):
        assert said(start + odd, "git_lfs_pointer") == f"{what}: {run}"
    filled = start + b"a" * (1024 - len(start) - len(b"\nsize 5")) + b"\nsize 5\n"
    assert ", 5 in the real file" in said(filled, "git_lfs_pointer")  # within 1 KiB


def test_an_encrypted_model_tells_its_level_where_that_is_one() -> None:
    """The u32 behind the eight letters is the level, 1 to 3 (netron, rknn.js)."""
    what, rest = (
        "f is an encrypted .rknn model",
        "; nothing in it can be read: give the model as it was before encryption.",
    )
    fault = refusal(Source.from_bytes(b"CYPTRKNN\x02\x00\x00\x00more", "f"), "rknn_encrypted", "rknn")
    assert (type(fault), fault.kind) == (EncryptedError, "rknn_encrypted")
    for level, shown in ((b"\1\0\0\0", 1), (b"\2\0\0\0", 2), (b"\3\0\0\0", 3)):
        assert said(b"CYPTRKNN" + level, "rknn_encrypted") == f"{what} (level {shown}){rest}"
    for none in (b"\0\0\0\0", b"\4\0\0\0", b"\0\0\0\1", b"\1\1\0\0", b"\1", b"\1\0\0", b""):
        assert said(b"CYPTRKNN" + none, "rknn_encrypted") == f"{what}{rest}"
