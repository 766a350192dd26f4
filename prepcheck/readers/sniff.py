"""What a file is, by its first bytes; and the refusal that says so and what to do.

Nothing here looks at a file's name except to word the refusal. `KINDS` is the closed list of what `error.is` can be.
"""

from __future__ import annotations

import re
from typing import Final

from prepcheck.errors import EmptyFileError, EncryptedError, GitLfsPointerError, PrepcheckError, WrongKindError
from prepcheck.readers.mnn_signature import looks_like_mnn
from prepcheck.wire.source import Source

HEAD: Final = 4096
"""Bytes looked at. MNN's root table stands within them in every file seen."""

LFS_START: Final = b"version https://git-lfs.github.com/spec/"
ENCRYPTED_START: Final = b"CYPTRKNN"

_CONVERT_RKNN: Final = "convert it with rknn-toolkit2 ({load}, build, export_rknn) and give the .rknn"
_CONVERT_MNN: Final = "convert it with MNNConvert (-f {framework}) and give the .mnn"

KINDS: Final[dict[str, tuple[str, str]]] = {
    "rknn": ("a Rockchip .rknn model", "give it under its own name, with the extension .rknn"),
    "rknn_encrypted": ("an encrypted .rknn model", "give the model as it was before encryption"),
    "rknn_payload": (
        "the inner part of a .rknn model without its container",
        "give the whole file that export_rknn wrote",
    ),
    "vivante_nbg": ("a bare Vivante network binary", "give the .rknn that holds it"),
    "mnn": ("an MNN model", "give it under its own name, with the extension .mnn"),
    "onnx": ("an ONNX model", "{onnx}"),
    "tflite": ("a TensorFlow Lite model", "{tflite}"),
    "zip": ("a zip archive, as PyTorch's .pt and .pth files are", "unpack it, or {pytorch}"),
    "gzip": ("a gzip archive", "unpack it"),
    "xz": ("an xz archive", "unpack it"),
    "zstd": ("a zstandard archive", "unpack it"),
    "bzip2": ("a bzip2 archive", "unpack it"),
    "7z": ("a 7-Zip archive", "unpack it"),
    "rar": ("a RAR archive", "unpack it"),
    "tar": ("a tar archive", "unpack it"),
    "elf": ("an ELF program or library", "give the model, not the program that runs it"),
    "pe": ("a Windows program or library", "give the model, not the program that runs it"),
    "gguf": ("a GGUF language model", "no converter of this kind of model is known here"),
    "safetensors": ("weights in safetensors form", "export the network to ONNX and convert that"),
    "hdf5": (
        "an HDF5 file, as Keras's .h5 files are",
        "export the network to ONNX or TensorFlow Lite and convert that",
    ),
    "pickle": ("a Python pickle, as old PyTorch .pt files are", "{pytorch}"),
    "npy": ("a numpy array", "give it with --buffer, and the model as MODEL"),
    "png": ("a PNG image", "give the model first and images after it"),
    "jpeg": ("a JPEG image", "give the model first and images after it"),
    "gif": ("a GIF image", "give the model first and images after it"),
    "webp": ("a WebP image", "give the model first and images after it"),
    "bmp": ("a BMP image", "give the model first and images after it"),
    "tiff": ("a TIFF image", "give the model first and images after it"),
    "pdf": ("a PDF document", "give the model"),
    "ncnn": ("an ncnn model", "convert the network that it was made from"),
    "html": ("a web page, as a failed download leaves it", "download the file itself (the 'raw' link) again"),
    "xml": ("an XML document", "give the model"),
    "json": ("a JSON document", "give the model"),
    "yaml": ("a YAML document", "give a plan with --plan, and the model as MODEL"),
    "git_lfs_pointer": ("the text that Git LFS leaves in place of the content", "run `git lfs pull`"),
    "utf16": ("text in UTF-16", "give the model"),
    "text": ("a text file", "give the model"),
    "fifo": ("a pipe", "copy its content into a file"),
    "socket": ("a socket", "copy its content into a file"),
    "device": ("a device", "copy its content into a file"),
    "special": ("no regular file", "copy its content into a file"),
    "folder": ("a folder", "name a file inside it"),
    "unknown": ("of no kind that is known here", "check where the file comes from; a download may have been damaged"),
}
"""kind → (what it is, what to do). Advice in braces depends on which kind of model was expected."""

_ADVICE: Final = {
    "rknn": {
        "onnx": _CONVERT_RKNN.format(load="load_onnx"),
        "tflite": _CONVERT_RKNN.format(load="load_tflite"),
        "pytorch": "export the network to ONNX or TorchScript and convert that with rknn-toolkit2",
    },
    "mnn": {
        "onnx": _CONVERT_MNN.format(framework="ONNX"),
        "tflite": _CONVERT_MNN.format(framework="TFLITE"),
        "pytorch": "export the network to ONNX and convert that with MNNConvert",
    },
    "": {
        "onnx": "convert it with rknn-toolkit2 or MNNConvert and give the result",
        "tflite": "convert it with rknn-toolkit2 or MNNConvert and give the result",
        "pytorch": "export the network to ONNX and convert that with rknn-toolkit2 or MNNConvert",
    },
}

_MAGIC: Final = (
    (0, b"RKNN", "rknn"),
    (0, ENCRYPTED_START, "rknn_encrypted"),
    (0, b"VPMN", "vivante_nbg"),
    (4, b"RKNN", "rknn_payload"),
    (4, b"TFL3", "tflite"),
    (0, b"PK\x03\x04", "zip"),
    (0, b"PK\x05\x06", "zip"),
    (0, b"\x1f\x8b\x08", "gzip"),
    (0, b"\xfd7zXZ\x00", "xz"),
    (0, b"\x28\xb5\x2f\xfd", "zstd"),
    (0, b"BZh", "bzip2"),
    (0, b"7z\xbc\xaf\x27\x1c", "7z"),
    (0, b"Rar!\x1a\x07", "rar"),
    (257, b"ustar", "tar"),
    (0, b"\x7fELF", "elf"),
    (0, b"GGUF", "gguf"),
    (0, b"\x89HDF\r\n\x1a\n", "hdf5"),
    (0, b"\x93NUMPY", "npy"),
    (0, b"\x89PNG\r\n\x1a\n", "png"),
    (0, b"\xff\xd8\xff", "jpeg"),
    (0, b"GIF8", "gif"),
    (8, b"WEBP", "webp"),
    (0, b"II*\x00", "tiff"),
    (0, b"MM\x00*", "tiff"),
    (0, b"%PDF-", "pdf"),
    (0, b"\x7d\x85\x76\x00", "ncnn"),  # 0x0076857d = 7767517, the first word of ncnn's .param.bin
    (0, b"7767517", "ncnn"),  # and the first line of its .param
    (0, LFS_START, "git_lfs_pointer"),
)
_ONNX_FIELDS: Final = frozenset({2, 3, 4, 5, 6, 7, 8, 14, 20})
"""Fields of onnx.ModelProto that can follow ir_version. Source: onnx/onnx.proto3, message ModelProto."""


def sniff_head(head: bytes, size: int) -> str:
    """The kind (a key of KINDS) of a file of `size` bytes that begins with `head`."""
    for at, magic, kind in _MAGIC:
        if head[at : at + len(magic)] == magic:
            return kind
    if not head.strip(b"\x00"):
        return "unknown"
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf16"
    text = _text_kind(head, size)
    if text:
        return text
    return _binary_kind(head, size)


def _text_kind(head: bytes, size: int) -> str | None:
    """html, xml, json, yaml or text where the bytes are text, else None."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:256].lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "html"
    if not _is_text(head, cut=len(head) < size):
        return None
    if start.startswith(b"<"):
        return "xml"
    if re.match(rb'\{\s*["}]|\[\s*[\[{"\d\]-]', start):
        return "json"
    if re.match(rb"(%yaml|---\s|[a-z_][\w-]*:(\s|$))", start):
        return "yaml"
    return "text"


def _is_text(head: bytes, cut: bool) -> bool:
    """Whether the bytes are UTF-8 without control characters; a character may be cut off at the end."""
    if len(head) < 4:
        return False
    for end in range(len(head), len(head) - (4 if cut else 1), -1):
        try:
            head[:end].decode("utf-8")
        except UnicodeDecodeError:
            continue
        return not re.search(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]", head)
    return False


def _binary_kind(head: bytes, size: int) -> str:
    """Formats without a signature of their own: told by the sense that their first fields make."""
    if _looks_like_onnx(head):
        return "onnx"
    if looks_like_mnn(head, size):
        return "mnn"
    if len(head) > 9 and head[8:9] == b"{" and 2 <= int.from_bytes(head[:8], "little") <= min(size - 8, 100 << 20):
        return "safetensors"
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return "pickle"
    if head[:2] == b"BM" and int.from_bytes(head[2:6], "little") == size:
        return "bmp"
    if head[:2] == b"MZ" and size > 64:
        return "pe"
    return "unknown"


def _looks_like_onnx(head: bytes) -> bool:
    """ModelProto: field 1 (ir_version, 1–20) first, then another field of ModelProto with its wire type."""
    if len(head) < 3 or head[0] != 0x08 or not 1 <= head[1] <= 20:
        return False
    field, wire = head[2] >> 3, head[2] & 7
    if head[2] & 0x80:  # a tag of two bytes: fields from 16 on
        field = (head[2] & 0x7F | head[3] << 7) >> 3 if len(head) > 3 else 0
    return field in _ONNX_FIELDS and wire == (0 if field == 5 else 2)


def sniff(source: Source) -> str:
    """The kind of a file. Raises EmptyFileError for one without bytes."""
    if source.size == 0:
        raise EmptyFileError(f"{source.name} is empty (0 bytes): copy or download it again.")
    return sniff_head(source.head(HEAD), source.size)


def refusal(source: Source, kind: str, expected: str = "") -> PrepcheckError:
    """The error that tells what a file is instead of a model that can be read, and what to do.

    expected: "rknn" or "mnn" where the file's name promises that, else "".
    """
    name = source.name
    what, advice = KINDS[kind]
    advice = advice.format(**_ADVICE[expected])
    if kind == "git_lfs_pointer":
        return GitLfsPointerError(f"{name} is {what}{_lfs_size(source)}: {advice} in the repository.", kind=kind)
    if kind == "rknn_encrypted":
        return EncryptedError(f"{name} is {what}{_level(source)}; nothing in it can be read: {advice}.", kind=kind)
    head = source.head(16)
    if kind == "unknown" and not source.head(HEAD).strip(b"\x00"):
        what = f"all zeros in its first {min(HEAD, source.size)} bytes"
        advice = "it was reserved and never written, or a copy failed: copy it again"
    promised = {"rknn": ", not a .rknn model", "mnn": ", not an .mnn model"}.get(expected, "")
    if promised and kind == expected:
        promised = ""
    return WrongKindError(
        f"{name} is {what}{promised} ({source.size} bytes, the first are {head.hex(' ')}): {advice}.", kind=kind
    )


def _lfs_size(source: Source) -> str:
    """The size that a Git LFS pointer states, as words."""
    found = re.search(rb"^size (\d{1,18})\r?$", source.head(1024), re.MULTILINE)
    return f" ({source.size} bytes here, {int(found[1])} in the real file)" if found else ""


def _level(source: Source) -> str:
    """The encryption level, where it is one of the known ones.

    Source: the u32 at byte 8 is the level 1–3 (netron, rknn.js); no such file was at hand to check it.
    """
    head = source.head(12)
    level = int.from_bytes(head[8:12], "little")
    return f" (level {level})" if len(head) == 12 and 1 <= level <= 3 else ""
