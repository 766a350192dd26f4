"""The container of a `.rknn`, byte by byte: where the parts are, and the words for every way it can be wrong."""

from __future__ import annotations

import struct

import pytest

from prepcheck.errors import CorruptError, ReadError, TooLargeError, TruncatedError, UnsupportedVersionError
from prepcheck.readers.rknn_container import Container, container_notes, read_container, read_json
from prepcheck.wire.source import Source

FLAT = b"\x20\x00\x00\x00RKNN"
"""The begin of a flatbuffer marked RKNN."""


def file(version: int, payload: bytes, text: bytes = b"{}", long: bool = True, zeros: bytes = bytes(4)) -> bytes:
    """Layout of the format: RKNN, four zeros, version, payload length, 40 bytes (long), payload, JSON length, JSON."""
    head = b"RKNN" + zeros + struct.pack("<QQ", version, len(payload)) + (bytes(40) if long else b"")
    return head + payload + struct.pack("<Q", len(text)) + text


def read(data: bytes) -> Container:
    return read_container(Source.from_bytes(data, "s.rknn"))


def test_parts_of_every_form() -> None:
    """A long header from version 2 on, where there is a payload; the payload says which family it is."""
    assert read(file(1, b"VPMN" + bytes(6), long=False)) == Container(1, "rknn1", 24, 10, 42, 2, 0)
    assert read(file(1, FLAT, long=False)) == Container(1, "rknn2-full", 24, 8, 40, 2, 0)
    assert read(file(2, b"VPMN" + bytes(6))) == Container(2, "rknn1", 64, 10, 82, 2, 0)
    assert read(file(6, FLAT + bytes(3))) == Container(6, "rknn2-full", 64, 11, 83, 2, 0)
    assert read(file(0x1004, b"anything")) == Container(0x1004, "rknn2-mini", 64, 8, 80, 2, 0)
    assert read(file(0x1004, b"x")) == Container(0x1004, "rknn2-mini", 64, 1, 73, 2, 0)
    assert read(file(0x1004, FLAT)).form == "rknn2-full"
    assert read(file(3, b"", b"[1, 2]", long=False) + b"tail") == Container(3, "rknn1", 24, 0, 32, 6, 4)
    assert read(file(6, FLAT, b"")) == Container(6, "rknn2-full", 64, 8, 80, 0, 0)


def test_labels_and_versions_that_were_seen() -> None:
    """1 to 6 and 0x1001 to 0x1004."""
    seen = [v for v in (*range(1, 0x21), *range(0x1001, 0x1021)) if Container(v, "rknn1", 0, 0, 0, 0, 0).known_version]
    assert seen == [1, 2, 3, 4, 5, 6, 0x1001, 0x1002, 0x1003, 0x1004]
    assert Container(6, "rknn2-full", 0, 0, 0, 0, 0).label == "rknn2-full v6"
    assert Container(0x1004, "rknn2-mini", 0, 0, 0, 0, 0).label == "rknn2-mini v4100"


def test_notes() -> None:
    def notes(version: int, trailing: int) -> list[tuple[str, object]]:
        return [(n.kind, n.values) for n in container_notes(Container(version, "rknn1", 24, 0, 32, 6, trailing))]

    assert notes(6, 0) == []
    assert notes(7, 1) == [
        ("unknown_container_version", {"version": 7}),
        ("trailing_bytes", {"bytes": 1, "offset": 38}),
    ]


def test_versions_at_the_ends() -> None:
    """The low byte is 1 to 32; of the others only the mini bit may be set."""
    for version in (1, 32, 0x1001, 0x1020):
        assert read(file(version, b"", long=False)).version == version
    for version in (0, 33, 0xFF, 0x1000, 0x1021, 0x101, 0x2001, 0x801, 1 << 16 | 1, 1 << 63 | 1):
        with pytest.raises(UnsupportedVersionError) as caught:
            read(file(version, b"", long=False))
        assert caught.value.message.startswith(
            f"s.rknn: container version {version} (0x{version:x}, at byte 8) is not known; known are 1 to 6"
        )


def cut(data: bytes, error: type[ReadError] = TruncatedError) -> str:
    with pytest.raises(error) as caught:
        read(data)
    return caught.value.message


def test_cut_off() -> None:
    """Every length is told against the file's: need, have, missing."""
    hint = "Copy or download it again and compare the sizes."
    whole = file(6, FLAT + bytes(92), b"[" * 20)
    assert cut(whole[:23]) == (
        f"s.rknn is cut off: the header alone has 24 bytes; the file would have 24 bytes and has 23, 1 too few. {hint}"
    )
    assert cut(whole[:163]) == (
        "s.rknn is cut off: it announces 100 bytes of payload at byte 64; the file would have 172 bytes and has 163, "
        f"9 too few. {hint}"
    )
    for end in (164, 171):
        assert cut(whole[:end]) == (
            "s.rknn is cut off: the length of the JSON part is missing at byte 164; the file would have 172 bytes and has "
            f"{end}, {172 - end} too few. {hint}"
        )
    for end in (172, 191):
        assert cut(whole[:end]) == (
            "s.rknn is cut off: it announces 20 bytes of JSON at byte 172; the file would have 192 bytes and has "
            f"{end}, {192 - end} too few. {hint}"
        )
    assert read(whole).json_at == 172
    assert cut(b"RKNN" + bytes(20 - 1)).startswith("s.rknn is cut off: the header alone")


def test_other_files_that_begin_alike() -> None:
    for zeros in (b"\0\0\0\1", b"\1\0\0\0", b"\0 \0\0"):
        message = cut(file(6, FLAT, zeros=zeros), CorruptError)
        assert message.startswith(f"s.rknn: bytes 4 to 7 are {zeros.hex(' ')}; they are zero in every .rknn.")
    assert cut(b"RKNN\0\0\1", CorruptError).startswith("s.rknn: bytes 4 to 7 are 00 00 01;")
    for payload in (b"VPMX" + bytes(6), b"RKNN", b"x", b"\0\0\0\0RKNX"):
        message = cut(file(6, payload), CorruptError)
        begin = payload[:8].hex(" ")
        assert message.startswith(f"s.rknn: the payload at byte 64 begins with {begin}; a Vivante binary (VPMN) or a")
    assert cut(file(1, b"xyz", long=False), CorruptError).startswith("s.rknn: the payload at byte 24 begins with 78 79")


def test_json_part() -> None:
    def json(text: bytes) -> object:
        return read_json(Source.from_bytes(b"12345" + text + b"tail", "s.rknn"), 5, len(text))

    assert json(b'{"norm_tensor": [], "graph": [1]}') == {"norm_tensor": [], "graph": [1]}
    for text, key in (
        (b'{"graph": []}', "norm_tensor"),
        (b'{"norm_tensor": {}, "graph": []}', "norm_tensor"),
        (b'{"norm_tensor": []}', "graph"),
        (b"{}", "norm_tensor"),
    ):
        with pytest.raises(
            CorruptError, match=rf"^s\.rknn: the JSON part at byte 5 has no list `{key}`; every model has"
        ):
            json(text)
    with pytest.raises(CorruptError, match=r"^s\.rknn: the JSON at byte 5 does not parse"):
        json(b"{")


def test_json_part_of_at_most_three_mebibytes() -> None:
    source = Source.from_bytes(b" " * (4 << 20), "s.rknn")
    with pytest.raises(TooLargeError) as caught:
        read_json(source, 5, 3145729)
    assert caught.value.message == "s.rknn: the JSON part at byte 5 has 3145729 bytes; the limit is 3145728."
    assert source.total_read == 0
    with pytest.raises(CorruptError, match="does not parse"):
        read_json(source, 5, 3145728)
