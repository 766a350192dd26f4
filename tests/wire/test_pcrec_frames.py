"""Records (docs/pcrec.md) put together frame by frame: what each item says, and how damage is told from a lost end."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import pytest

from prepcheck.errors import EmptyFileError, UnsupportedVersionError, WrongKindError
from prepcheck.wire import pcrec
from prepcheck.wire.pcrec import (
    Chunk,
    Damage,
    Event,
    Item,
    chunk_bytes,
    frame_crc,
    open_record,
    read_events,
    read_items,
)
from prepcheck.wire.source import Source

START = b"PCREC 1\n"


def frame(kind: bytes, content: bytes, *, marker: bytes = b"\x8b\x50\x43", spoil: int = 0) -> bytes:
    """A frame as docs/pcrec.md has it: marker, kind, length, CRC-32 of kind, length and content, content."""
    length = struct.pack("<I", len(content))
    return marker + kind + length + struct.pack("<I", zlib.crc32(kind + length + content) ^ spoil) + content


def event(**fields: object) -> bytes:
    return frame(b"E", json.dumps({"api": "f", **fields}).encode())


def part(blob: int, total: int, start: int, content: bytes, spoil: int = 0) -> bytes:
    return frame(b"B", struct.pack("<IIQQ", blob, 0, total, start) + content, spoil=spoil)


def items(data: bytes) -> list[Item]:
    return list(read_items(Source.from_bytes(data, "r")))


def test_the_format_in_numbers() -> None:
    assert (pcrec.MAGIC, pcrec.MARKER) == (START, b"\x8bPC")
    assert (pcrec.HEAD.size, pcrec.CHUNK_HEAD.size) == (12, 24)
    assert (pcrec.CHUNK, pcrec.MAX_EVENT, pcrec.MAX_FRAME) == (1048576, 1048576, 1048600)
    assert pcrec.MAX_READ_TOTAL == 1073741824
    assert frame_crc(b"E", b"abc") == zlib.crc32(b"E\x03\0\0\0abc")


def test_a_record_may_be_read_further_than_a_model(tmp_path: Path) -> None:
    path = tmp_path / "a.pcrec"
    path.write_bytes(START)
    with open_record(path) as source:
        assert (source.size, source._max_total) == (8, 1 << 30)


@pytest.mark.parametrize(
    ("data", "error", "kind", "words"),
    [
        (b"", EmptyFileError, None, "r has no bytes: the program ended before the recorder wrote anything."),
        (b"PCREC 2\n", UnsupportedVersionError, None, "r is a record of version b'2'; version 1 is known."),
        (b"PCREC ", None, None, ""),
        (b"PCREC", None, None, ""),
        (b"PCREC 1", None, None, ""),
        (b"PCREC\n\n", WrongKindError, "unknown", r"r is no record: it starts with b'PCREC\n\n', not b'PCREC 1\n'."),
        (b"PCREC 1\r\n", UnsupportedVersionError, None, "r is a record of version b'1'; version 1 is known."),
    ],
)
def test_how_a_file_starts(data: bytes, error: type[Exception] | None, kind: str | None, words: str) -> None:
    if error is None:
        assert items(data) == []
        return
    with pytest.raises(error) as raised:
        items(data)
    assert str(raised.value) == words
    assert getattr(raised.value, "kind", None) == kind


def test_events_and_parts_of_buffers_in_their_order() -> None:
    first, second, third = event(n=0), part(7, 1000, 300, b"abcde"), event(n=1, text="ü")
    data = START + first + second + third
    place = 8 + len(first)
    assert items(data) == [
        Event(8, {"api": "f", "n": 0}),
        Chunk(place + 12, 7, 1000, 300, 5, zlib.crc32(b"B" + second[4:8] + second[12:])),
        Event(place + len(second), {"api": "f", "n": 1, "text": "ü"}),
    ]
    assert [e.api for e in read_events(Source.from_bytes(data))] == ["f", "f"]


def test_the_content_of_a_part_is_checked_when_it_is_asked_for() -> None:
    data = START + part(1, 5, 0, b"abcde") + event() + part(2, 5, 0, b"fghij", spoil=1) + event()
    source = Source.from_bytes(data)
    good, bad = (i for i in read_items(source) if isinstance(i, Chunk))
    assert chunk_bytes(source, good) == b"abcde"
    assert chunk_bytes(source, bad) is None


def test_a_part_at_the_end_has_to_have_its_crc() -> None:
    """No frame follows that would vouch for its length; the end of the file alone does not need to be one."""
    whole = START + event(n=0)
    at = len(whole)
    bad = part(2, 5, 0, b"fghij", spoil=1)
    good = part(2, 5, 0, b"fghij")
    assert [type(i) for i in items(whole + good)] == [Event, Chunk]
    assert [type(i) for i in items(whole + good + b"xyz")] == [Event, Chunk, Damage]
    assert items(whole + bad + b"xyz")[1:] == [
        Damage(
            at,
            len(bad) + 3,
            "cut",
            f"the record ends inside a frame: its last {len(bad) + 3} bytes, from byte {at} on, are lost",
        )
    ]
    assert [type(i) for i in items(whole + good + b"\x8bP")] == [Event, Chunk, Damage]


def test_a_part_without_a_head_is_no_frame() -> None:
    short, empty = frame(b"B", bytes(23)), frame(b"B", bytes(24))
    assert items(START + short + event())[0] == Damage(8, 35, "garbage", "35 bytes at byte 8 are no frame; skipped")
    (chunk, _) = items(START + empty + event())
    assert chunk == Chunk(20, 0, 0, 0, 0, zlib.crc32(b"B\x18\0\0\0" + bytes(24)))


def test_an_event_with_a_wrong_crc_is_named_where_a_frame_follows() -> None:
    bad = frame(b"E", b'{"api":"g"}', spoil=0xFF)
    right = zlib.crc32(b"E" + bad[4:8] + bad[12:])
    told = f"the event of 11 bytes at byte 8 is damaged (CRC {right:08x}, written {right ^ 0xFF:08x})"
    expected = Damage(8, 23, "crc", told)
    assert items(START + bad + event(n=1)) == [expected, Event(31, {"api": "f", "n": 1})]
    assert items(START + bad) == [expected]  # it ends the file
    # what follows is no frame: its length is not believed
    assert items(START + bad + b"abc" + event(n=1)) == [
        Damage(8, 26, "garbage", "26 bytes at byte 8 are no frame; skipped"), Event(34, {"api": "f", "n": 1})
    ]  # fmt: skip


@pytest.mark.parametrize("content", [b"[]", b"{}", b'{"api": 3}', b"\xff\xfe", b"[" * 5000, b"", b'"api"', b"null"])
def test_content_that_is_no_event(content: bytes) -> None:
    told = "the event at byte 8 is no JSON object with `api`"
    assert items(START + frame(b"E", content) + event(n=1)) == [
        Damage(8, 12 + len(content), "event", told),
        Event(20 + len(content), {"api": "f", "n": 1}),
    ]


def test_garbage_is_skipped_to_the_next_whole_frame() -> None:
    follows = event(n=2)
    for garbage in (
        b"x",
        b"\x8b",
        b"\x8bPC",
        b"\x8bPCE" + bytes(3),
        frame(b"X", b"abc"),
        frame(b"E", b"{}", marker=b"\x8bPD"),
    ):
        found = items(START + event(n=1) + garbage + follows)
        at = 8 + len(event(n=1))
        told = f"{len(garbage)} bytes at byte {at} are no frame; skipped"
        assert found[1:] == [Damage(at, len(garbage), "garbage", told), Event(at + len(garbage), {"api": "f", "n": 2})]


def test_a_marker_in_garbage_needs_a_right_crc() -> None:
    """A head inside the garbage whose length fits and whose CRC does not is passed by."""
    garbage = b"zz" + frame(b"E", b"12345678901234567890", spoil=1)[:14]
    assert items(START + garbage + event(n=2)) == [
        Damage(8, 16, "garbage", "16 bytes at byte 8 are no frame; skipped"), Event(24, {"api": "f", "n": 2})
    ]  # fmt: skip


@pytest.mark.parametrize("step", [3, 4, 5, 7, 16, 64])
def test_the_next_frame_is_found_across_the_parts_in_which_it_is_looked_for(
    step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pcrec, "_SCAN", step)
    for length in range(1, 24):
        garbage = b"z" * length
        found = items(START + garbage + event(n=2))
        assert found == [
            Damage(8, length, "garbage", f"{length} bytes at byte 8 are no frame; skipped"),
            Event(8 + length, {"api": "f", "n": 2}),
        ]


def test_a_frame_is_looked_for_in_parts_of_64_kib() -> None:
    garbage = b"z" * 65535  # the marker begins on the last byte of the first part that is looked through
    source = Source.from_bytes(START + garbage + event(n=2))
    assert [type(i) for i in read_items(source)] == [Damage, Event]
    assert source.total_read < 65535 + 400
    assert pcrec._SCAN == 65536


@pytest.mark.parametrize("lost", [1, 5, 30])
def test_a_lost_end(lost: int) -> None:
    whole = START + event(n=1)
    data = whole + event(n=2, text="x" * 20)[:-lost]
    rest = len(data) - len(whole)
    assert items(data)[1:] == [
        Damage(
            len(whole), rest, "cut",
            f"the record ends inside a frame: its last {rest} bytes, from byte {len(whole)} on, are lost",
        )
    ]  # fmt: skip


def test_the_smallest_frame_at_the_end_is_found() -> None:
    """An empty event of twelve bytes, behind garbage: the last place where a frame can stand."""
    assert items(START + b"z" + frame(b"E", b"")) == [
        Damage(8, 1, "garbage", "1 bytes at byte 8 are no frame; skipped"),
        Damage(9, 12, "event", "the event at byte 9 is no JSON object with `api`"),
    ]


def test_frames_may_be_as_long_as_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b'{"api":"f"}'
    monkeypatch.setattr(pcrec, "MAX_EVENT", len(content))
    assert items(START + frame(b"E", content)) == [Event(8, {"api": "f"})]
    monkeypatch.setattr(pcrec, "MAX_EVENT", len(content) - 1)
    assert [i.kind for i in items(START + frame(b"E", content)) if isinstance(i, Damage)] == ["cut"]
    monkeypatch.setattr(pcrec, "MAX_FRAME", 26)
    assert [type(i) for i in items(START + part(1, 2, 0, b"ab"))] == [Chunk]
    assert [type(i) for i in items(START + part(1, 3, 0, b"abc"))] == [Damage]
