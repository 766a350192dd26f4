"""Signatures byte by byte, and what comes close to one without being it."""

from __future__ import annotations

import struct

import pytest

from prepcheck.errors import EmptyFileError
from prepcheck.readers.mnn_signature import looks_like_mnn
from prepcheck.readers.sniff import sniff, sniff_head
from prepcheck.wire.source import Source
from tests.readers.mnn_builder import INPUT, Operator, build

SIGNATURES = (
    ("rknn", 0, b"RKNN"),
    ("rknn_encrypted", 0, b"CYPTRKNN"),
    ("vivante_nbg", 0, b"VPMN"),
    ("rknn_payload", 4, b"RKNN"),
    ("tflite", 4, b"TFL3"),
    ("zip", 0, b"PK\x03\x04"),
    ("zip", 0, b"PK\x05\x06"),  # an archive without files
    ("gzip", 0, b"\x1f\x8b\x08"),
    ("xz", 0, b"\xfd7zXZ\x00"),
    ("zstd", 0, b"\x28\xb5\x2f\xfd"),
    ("bzip2", 0, b"BZh"),
    ("7z", 0, b"7z\xbc\xaf\x27\x1c"),
    ("rar", 0, b"Rar!\x1a\x07"),
    ("tar", 257, b"ustar"),
    ("elf", 0, b"\x7fELF"),
    ("gguf", 0, b"GGUF"),
    ("hdf5", 0, b"\x89HDF\r\n\x1a\n"),
    ("npy", 0, b"\x93NUMPY"),
    ("png", 0, b"\x89PNG\r\n\x1a\n"),
    ("jpeg", 0, b"\xff\xd8\xff"),
    ("gif", 0, b"GIF8"),
    ("webp", 8, b"WEBP"),
    ("tiff", 0, b"II*\x00"),
    ("tiff", 0, b"MM\x00*"),
    ("pdf", 0, b"%PDF-"),
    ("ncnn", 0, (7767517).to_bytes(4, "little")),
    ("ncnn", 0, b"7767517"),
    ("git_lfs_pointer", 0, b"version https://git-lfs.github.com/spec/"),
)
"""kind, place, bytes. Sources: the formats' own specifications, as `file` (libmagic) lists them."""


def kind_of(data: bytes, size: int | None = None) -> str:
    return sniff_head(data, len(data) if size is None else size)


def test_every_signature_at_its_place_and_no_other() -> None:
    for kind, at, magic in SIGNATURES:
        assert kind_of(b"\xf0" * at + magic) == kind
        assert kind_of(b"\xf0" * at + magic + b"\xf0" * 300) == kind
        assert kind_of(b"\xf0" * (at + 1) + magic) != kind
        assert kind_of(b"\xf0" * at + magic[:-1] + b"\xf1") != kind


def test_text_is_told_by_how_it_begins() -> None:
    for start, kind in (
        (b"<!DOCTYPE html>", "html"),
        (b"<html lang=de>", "html"),
        (b"<head>", "html"),
        (b"<BODY>", "html"),
        (b"\xef\xbb\xbf <html>", "html"),
        (b"<html>\xff\xfe", "html"),  # a web page in another encoding
        (b"<net>", "xml"),
        (b"\xef\xbb\xbf<a/>", "xml"),
        (b'{"a": 1}', "json"),
        (b"{ }  ", "json"),
        (b"[[1]]", "json"),
        (b"[ 1, 2]", "json"),
        (b"[-1.5]", "json"),
        (b'["a"]', "json"),
        (b"[{ }]", "json"),
        (b"[]  ", "json"),
        (b"{a: b}", "text"),
        (b"[abc]", "text"),
        (b"a < b", "text"),
        (b"%YAML 1.2\n", "yaml"),
        (b"---\na: 1", "yaml"),
        (b"a_b-c: 1", "yaml"),
        (b"_x:\n  - 1", "yaml"),
        (b"key:", "yaml"),
        (b"--- text", "yaml"),
        (b"----text", "text"),
        (b"a:b and more", "text"),
        (b"1: x and more", "text"),
        (b" hello", "text"),
    ):
        assert kind_of(start) == kind, start


def test_only_the_first_256_characters_of_a_text_are_looked_at() -> None:
    assert kind_of(b"\n" * 300 + b"{" + b" " * 254 + b'"a": 1}') == "json"
    assert kind_of(b"{" + b" " * 255 + b'"a": 1}') == "text"


def test_text_has_no_control_characters_but_those_of_a_terminal() -> None:
    for code in range(32):
        data = b"some text" + bytes([code])
        assert kind_of(data) == ("text" if code in (9, 10, 11, 12, 13, 27) else "unknown"), code
    assert kind_of(b"some text\x7f") == "unknown"


def test_three_bytes_are_no_text() -> None:
    assert kind_of(b"abc") == "unknown"
    assert kind_of(b"abcd") == "text"


def test_a_character_may_be_cut_off_only_where_the_head_ends_before_the_file() -> None:
    """U+1F600 has four bytes in UTF-8."""
    text = "text 😀".encode()
    for missing in (1, 2, 3):
        assert kind_of(text[:-missing], size=100) == "text"
        assert kind_of(text[:-missing]) == "unknown"
    assert kind_of(text, size=100) == "text"
    assert kind_of(b"text \x80\x80\x80\x80", size=100) == "unknown"
    assert kind_of(b"text \x80 text", size=100) == "unknown"


def test_byte_order_marks_of_utf16() -> None:
    assert kind_of("hi".encode("utf-16-le")) == "unknown"
    assert kind_of(b"\xff\xfeh\x00") == kind_of(b"\xfe\xff\x00h") == "utf16"


def test_zeros_are_unknown() -> None:
    assert kind_of(bytes(2)) == kind_of(bytes(4096), size=1 << 20) == "unknown"


def test_safetensors_by_the_length_of_their_header() -> None:
    """A u64 length of at least 2, the header as JSON, inside the file and at most 100 MB (safetensors' own limit)."""

    def file(length: int, rest: bytes = b"{}") -> bytes:
        return length.to_bytes(8, "little") + rest

    assert kind_of(file(2)) == "safetensors"
    assert kind_of(file(1)) == kind_of(file(3)) == kind_of(file(2, b"[]")) == "unknown"
    assert kind_of(file(2, b"{"), size=1000) == "unknown"
    assert kind_of(file(100 << 20), size=1 << 40) == "safetensors"
    assert kind_of(file((100 << 20) + 1), size=1 << 40) == "unknown"


def test_pickles_of_protocols_2_to_5() -> None:
    """Protocol 2 and later begin with the opcode PROTO (0x80) and the number. Source: pickletools."""
    kinds = [kind_of(b"\x80" + bytes([protocol]) + b"}q\x00") for protocol in range(8)]
    assert kinds == ["unknown", "unknown", *["pickle"] * 4, "unknown", "unknown"]
    assert kind_of(b"\x81\x02}q\x00") == "unknown"


def test_bitmaps_name_their_own_size_and_programs_have_a_header() -> None:
    assert kind_of(b"BM\x20\x01\x00\x00" + bytes(282)) == "bmp"  # 0x120 = 288 bytes
    assert kind_of(b"BM\x20\x01\x00\x00" + bytes(281)) == "unknown"
    assert kind_of(b"BN\x20\x01\x00\x00" + bytes(282)) == "unknown"
    assert kind_of(b"BM\x20\x01\x00\x01" + bytes(282)) == "unknown"
    assert kind_of(b"MZ" + bytes(63)) == "pe"  # a DOS header has 64 bytes
    assert kind_of(b"MZ" + bytes(62)) == kind_of(b"MY" + bytes(63)) == "unknown"


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128, value >> 7])


def test_onnx_by_the_version_and_the_field_behind_it() -> None:
    """Fields of ModelProto: 1 ir_version, 5 model_version (varints), 2-4, 6-8, 14, 20 (length-delimited). onnx.proto3."""
    told = [f for f in range(1, 32) if kind_of(b"\x08\x08" + varint(f << 3 | 2) + b"\x01") == "onnx"]
    assert told == [2, 3, 4, 6, 7, 8, 14, 20]
    assert [f for f in range(1, 32) if kind_of(b"\x08\x08" + varint(f << 3) + b"\x01") == "onnx"] == [5]
    assert [v for v in range(30) if kind_of(bytes([8, v, 0x12])) == "onnx"] == list(range(1, 21))
    for data in (b"\x08\x08", b"\x09\x08\x12\x01", b"\x08\x08\xa2", b"\x08\x08\xa2\x11", b"\x08\x08\x11\x01"):
        assert kind_of(data) == "unknown"


def test_an_empty_file_is_called_empty() -> None:
    with pytest.raises(EmptyFileError, match=r"^m is empty \(0 bytes\): copy or download it again\.$"):
        sniff(Source.from_bytes(b"", "m"))
    assert sniff(Source.from_bytes(b"RKNN", "m")) == "rknn"
    assert sniff(Source.from_bytes(b"a" * 4096 + b"\xff", "m")) == "text"  # 4096 bytes are looked at
    assert sniff(Source.from_bytes(b"a" * 4095 + b"\xff\xff", "m")) == "text"  # a character cut off, as it seems


# --- MNN, which has no signature ---------------------------------------------------------------------------------


def net(
    root: int = 24,
    distance: int | None = None,
    length: int = 12,
    inline: int = 12,
    fields: tuple[int, ...] = (4, 0, 0, 8),
    total: int = 64,
) -> bytes:
    """A root reference, a field list at byte 8 and a table at `root`, as flatbuffers lays them out."""
    data = bytearray(max(total, root + 4))
    struct.pack_into("<I", data, 0, root)
    struct.pack_into(f"<HH{len(fields)}H", data, 8, length, inline, *fields)
    struct.pack_into("<i", data, root, root - 8 if distance is None else distance)
    return bytes(data[:total])


def mnn(data: bytes, size: int | None = None) -> bool:
    return looks_like_mnn(data, len(data) if size is None else size)


def test_the_head_of_a_model() -> None:
    assert mnn(net())
    assert sniff_head(net(), 64) == "mnn"
    assert mnn(build([Operator(INPUT, outputs=(0,), dims=(1, 3))], ["x"]))
    assert mnn(net(total=32))
    assert not mnn(net(total=31))


def test_the_root_is_near_aligned_and_inside() -> None:
    assert mnn(net(root=4096, total=4100), 5000)
    assert not mnn(net(root=4100, total=4200), 5000)
    assert not mnn(net(root=26))
    assert mnn(net(root=60))
    assert not mnn(net(root=64), 200)  # beyond the head
    assert not mnn(net(), 27)  # beyond the file
    assert mnn(net(), 28)
    # a table at byte 4 with its field list behind it
    early = bytearray(64)
    struct.pack_into("<Ii", early, 0, 4, 4 - 8)
    struct.pack_into("<6H", early, 8, 12, 12, 4, 0, 0, 8)
    assert mnn(bytes(early))
    struct.pack_into("<Ii", early, 0, 0, 0)
    assert not mnn(bytes(early))


def test_the_field_list_is_aligned_and_inside() -> None:
    assert not mnn(net(distance=24))  # at byte 0
    assert not mnn(net(distance=22))
    assert not mnn(net(distance=15))
    last = bytearray(net(distance=24 - 52))
    struct.pack_into("<6H", last, 52, 12, 12, 4, 0, 0, 8)
    assert mnn(bytes(last))  # it ends with the head
    struct.pack_into("<H", last, 52, 14)
    assert not mnn(bytes(last))
    assert not mnn(net(distance=24 - 62))
    assert not mnn(net(distance=24 - 64))
    for at, wanted in ((4, True), (2, False)):
        low = bytearray(64)
        struct.pack_into("<I", low, 0, 24)
        struct.pack_into("<6H", low, at, 12, 12, 4, 0, 0, 8)
        struct.pack_into("<I", low, 0, 24)
        if at == 4:
            struct.pack_into("<i", low, 24, 20)
        else:
            struct.pack_into("<i", low, 24, 22)
        assert mnn(bytes(low)) == wanted


def test_a_net_has_4_to_16_fields_with_a_list_of_operators() -> None:
    assert not mnn(net(length=10, fields=(4, 0, 8)))
    assert not mnn(net(length=13, fields=(4, 0, 0, 8)))
    assert mnn(net(root=48, length=36, fields=(4, 0, 0, 8, *(0,) * 12)))
    assert not mnn(net(root=48, length=38, fields=(4, 0, 0, 8, *(0,) * 13)))
    assert not mnn(net(fields=(4, 8, 8, 0)))
    assert not mnn(net(length=10, fields=(4, 0, 0, 8)))


def test_fields_lie_inside_a_small_table() -> None:
    assert mnn(net(fields=(4, 11, 0, 8)))
    assert not mnn(net(fields=(4, 12, 0, 8)))
    assert not mnn(net(fields=(3, 0, 0, 8)))
    assert mnn(net(inline=256))
    assert not mnn(net(inline=257))
    assert not mnn(net(inline=8))
    assert not mnn(net(inline=3, fields=(0, 0, 0, 2)))
