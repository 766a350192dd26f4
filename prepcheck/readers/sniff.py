"""What a file is, by its first bytes. `prepcheck.readers.kinds` has the list of kinds and the words for a refusal."""

from __future__ import annotations

import re
from typing import Final

from prepcheck.errors import EmptyFileError
from prepcheck.readers.kinds import ENCRYPTED_START, HEAD, LFS_START
from prepcheck.readers.mnn_signature import looks_like_mnn
from prepcheck.wire.source import Source

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
    (0, b"\xdd\x85\x76\x00", "ncnn"),  # 0x007685dd = 7767517, the first word of ncnn's .param.bin
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
