"""The record format: what is written comes back, from any cut, beside any damage, and never with a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.errors import EmptyFileError, ReadError, UnsupportedVersionError, WrongKindError
from prepcheck.wire.pcrec import (
    HEAD,
    MAGIC,
    MARKER,
    Chunk,
    Damage,
    Event,
    Item,
    chunk_bytes,
    frame_crc,
    read_events,
    read_items,
)
from prepcheck.wire.pcrec_write import PcrecWriter, content_hash, sample, xxh64
from prepcheck.wire.source import Source


def items(data: bytes) -> list[Item]:
    return list(read_items(Source.from_bytes(data)))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("pcrec") / "a.pcrec"
    with PcrecWriter(path, "a test") as writer:
        number = writer.blob(bytes(range(256)) * 3)
        writer.event("rknn_run", {"ret": 0, "bound": [{"index": 0, "blob": number}]})
        writer.event("rknn_destroy", {"ret": -7, "text": "ü\n"})
    return path.read_bytes()


def test_what_is_written_comes_back(recorded: bytes) -> None:
    found = items(recorded)
    events = [i for i in found if isinstance(i, Event)]
    assert [e.api for e in events] == ["record", "rknn_run", "rknn_destroy"]
    assert [e.data["n"] for e in events] == [0, 1, 2]
    assert events[2].data["text"] == "ü\n"
    (chunk,) = (i for i in found if isinstance(i, Chunk))
    assert chunk_bytes(Source.from_bytes(recorded), chunk) == bytes(range(256)) * 3
    assert (chunk.blob, chunk.total, chunk.start) == (1, 768, 0)


def test_a_record_cut_anywhere_gives_the_events_before_the_cut(recorded: bytes) -> None:
    whole = [i for i in items(recorded) if isinstance(i, Event)]
    for cut in range(1, len(recorded)):
        found = items(recorded[:cut])
        events = [i for i in found if isinstance(i, Event)]
        assert events == whole[: len(events)], cut
        damage = [i for i in found if isinstance(i, Damage)]
        inside = recorded[cut : cut + 3] != MARKER and cut > len(MAGIC)
        assert [d.kind for d in damage] == (["cut"] if inside else []), cut
        assert sum(d.size for d in damage) + max((e.offset for e in events), default=0) <= cut


def test_any_flipped_byte_costs_one_frame_and_is_named(recorded: bytes) -> None:
    whole = [i for i in items(recorded) if isinstance(i, Event)]
    for at in range(len(MAGIC), len(recorded)):
        damaged = recorded[:at] + bytes([recorded[at] ^ 0x55]) + recorded[at + 1 :]
        found = items(damaged)
        events = [i for i in found if isinstance(i, Event)]
        assert all(e in whole for e in events), at
        assert len(events) >= len(whole) - 1, at
        chunks = [i for i in found if isinstance(i, Chunk)]
        source = Source.from_bytes(damaged)
        lost = len(whole) - len(events) + (not chunks) + sum(chunk_bytes(source, c) is None for c in chunks)
        assert lost == 1, at
        if len(events) < len(whole):
            assert any(isinstance(i, Damage) for i in found), at


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", EmptyFileError),
        (b"PCREC 2\n", UnsupportedVersionError),
        (b"\x89PNG\r\n\x1a\n", WrongKindError),
        (b"PK", WrongKindError),
    ],
)
def test_what_is_no_record_is_told(data: bytes, error: type[ReadError]) -> None:
    with pytest.raises(error):
        items(data)


def test_an_event_that_is_no_object_is_damage() -> None:
    for payload in (b"[]", b"{}", b'{"api": 3}', b"\xff\xfe", b"[" * 5000):
        frame = HEAD.pack(MARKER, b"E", len(payload), frame_crc(b"E", payload)) + payload
        (found,) = items(MAGIC + frame)
        assert isinstance(found, Damage)
        assert found.kind == "event"


@given(st.binary(max_size=400))
def test_any_bytes_after_the_magic_end_in_events_and_damage(data: bytes) -> None:
    found = items(MAGIC + data)
    assert sum(i.size for i in found if isinstance(i, Damage)) <= len(data)


@given(
    st.lists(
        st.sampled_from([MARKER, b"E", b"B", b"\x00" * 4, b"\xff\xff\xff\xff", b"\x10\x00\x00\x00", b"{}"]), max_size=60
    )
)
def test_frames_made_of_pieces_end(parts: list[bytes]) -> None:
    items(MAGIC + b"".join(parts))


def test_events_alone(recorded: bytes) -> None:
    assert [e.api for e in read_events(Source.from_bytes(recorded))] == ["record", "rknn_run", "rknn_destroy"]


def test_xxh64_agrees_with_its_published_vectors() -> None:
    assert xxh64(b"") == 0xEF46DB3751D8E999
    assert xxh64(b"abc") == 0x44BC2CF5AD770999
    text = b"Nobody inspects the spammish repetition"
    assert xxh64(text) == 0xFBCEA83C8A378BF1


def test_a_sampled_hash_sees_every_part_of_a_buffer() -> None:
    data = bytearray(100_000)
    first = content_hash(bytes(data))
    assert first.startswith("s128:")
    part = sample(bytes(data))
    assert part is not None
    assert len(part) == 8192
    missed = 0
    for row in range(50):  # a changed stripe of 2 % is seen wherever it lies
        changed = bytearray(data)
        changed[row * 2000 : row * 2000 + 2000] = b"\x01" * 2000
        missed += content_hash(bytes(changed)) == first
    assert missed == 0
    assert content_hash(bytes(data), full=True).startswith("f:")
    assert content_hash(b"short") == f"f:{xxh64(b'short'):016x}"


def test_threads_are_numbered_and_events_stay_whole(tmp_path: Path) -> None:
    import threading

    with PcrecWriter(tmp_path / "t.pcrec", "threads") as writer:

        def work() -> None:
            for _ in range(50):
                writer.event("call", {"text": "x" * 200})

        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    found = items((tmp_path / "t.pcrec").read_bytes())
    events = [i for i in found if isinstance(i, Event)]
    assert len(events) == len(found) == 201
    assert sorted(int(str(e.data["n"])) for e in events) == list(range(201))
    assert {e.data["th"] for e in events} <= set(range(5))
