"""The flatbuffer walk: what it reads, and that damage ends in CorruptError."""

from __future__ import annotations

import contextlib
import struct

import flatbuffers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.errors import CorruptError, TruncatedError
from prepcheck.wire import flatbuffer as module
from prepcheck.wire.flatbuffer import Flatbuffer, Table
from prepcheck.wire.source import Source
from prepcheck.wire.window import MAX_PAGES, PAGE, Window


def sample() -> bytes:
    """A table with one field of every kind: 0 i32, 1 f32, 2 string, 3 i32[], 4 f32[], 5 table, 6 tables, 7 strings, 8 u8[]."""
    b = flatbuffers.Builder(64)
    text, words = b.CreateString("héllo"), [b.CreateString(w) for w in ("a", "bc")]
    blob = b.CreateByteVector(b"\x01\x02\x03")

    def vector(size: int, put: object, values: list) -> int:
        b.StartVector(size, len(values), size)
        for v in reversed(values):
            put(v)  # type: ignore[operator]
        return b.EndVector()

    ints = vector(4, b.PrependInt32, [1, -2, 3])
    reals = vector(4, b.PrependFloat32, [0.5, -1.0])
    children = []
    for k in range(3):
        b.StartObject(1)
        b.PrependInt8Slot(0, k + 1, 0)
        children.append(b.EndObject())
    tables = vector(4, b.PrependUOffsetTRelative, children)
    strings = vector(4, b.PrependUOffsetTRelative, words)
    b.StartObject(9)
    b.PrependInt32Slot(0, -7, 0)
    b.PrependFloat32Slot(1, 2.5, 0.0)
    for slot, ref in ((2, text), (3, ints), (4, reals), (5, children[0]), (6, tables), (7, strings), (8, blob)):
        b.PrependUOffsetTRelativeSlot(slot, ref, 0)
    b.Finish(b.EndObject(), b"TEST")
    return bytes(b.Output())


def root(data: bytes, start: int = 0) -> Table:
    return Flatbuffer(Window(Source.from_bytes(data, "f"), start)).root()


def walk(table: Table) -> list[object]:
    """Reads everything once."""
    child = table.table(5)
    return [
        table.integer(0, "i"),
        table.real(1),
        table.string(2),
        table.integers(3),
        table.reals(4),
        child and child.integer(0, "b"),
        [t.integer(0, "b") for t in table.tables(6)],
        table.strings(7),
        table.blob(8),
    ]


WHOLE = [-7, 2.5, "héllo", (1, -2, 3), (0.5, -1.0), 1, [1, 2, 3], ("a", "bc"), b"\x01\x02\x03"]


@pytest.mark.parametrize("start", [0, 1, 100, PAGE - 3, 3 * PAGE + 1])
def test_reads_every_kind_of_field(start: int) -> None:
    data = bytes(start) + sample()
    window = Window(Source.from_bytes(data, "f"), start)
    assert Flatbuffer(window).identifier() == b"TEST"
    assert walk(root(data, start)) == WHOLE


def test_absent_slots() -> None:
    table = root(sample())
    assert not table.has(99)
    assert (table.integer(99, "i", 5), table.real(99, default=1.5)) == (5, 1.5)
    assert (table.string(99), table.table(99), table.integers(99), table.reals(99)) == (None,) * 4
    assert (table.strings(99), table.blob(99), table.count(99), len(table.tables(99))) == (None, None, 0, 0)


def test_vectors_of_tables_are_sequences() -> None:
    tables = root(sample()).tables(6)
    assert len(tables) == 3
    assert tables[-1].integer(0, "b") == 3
    assert [t.integer(0, "b") for t in tables[1:]] == [2, 3]
    with pytest.raises(IndexError):
        tables[3]


def test_limits_are_stated() -> None:
    table = root(sample())
    assert table.count(3, 4) == 3
    with pytest.raises(CorruptError, match="at most 2"):
        table.integers(3, "i", limit=2)
    with pytest.raises(CorruptError, match="at most 2"):
        table.string(2, limit=2)


def test_places_in_messages_are_places_in_the_file() -> None:
    data = bytearray(bytes(1000) + sample())
    struct.pack_into("<I", data, 1000, 0x7FFFFFF0)
    with pytest.raises(CorruptError, match=f"byte {1000 + 0x7FFFFFF0} "):
        root(bytes(data), 1000)


def test_every_truncation_is_corrupt_or_whole() -> None:
    data = sample()
    for end in range(len(data) - 8):  # the last bytes are padding, or the end of a string's terminator
        with pytest.raises(CorruptError):
            walk(root(data[:end]))


@given(st.lists(st.tuples(st.integers(0, len(sample()) - 1), st.integers(0, 255)), min_size=1, max_size=6))
def test_damage_ends_in_corrupt(damage: list[tuple[int, int]]) -> None:
    data = bytearray(sample())
    for at, value in damage:
        data[at] = value
    source = Source.from_bytes(bytes(data), "f")
    with contextlib.suppress(CorruptError):
        walk(Flatbuffer(Window(source)).root())
    assert source.total_read <= 1 << 20


def test_a_table_that_contains_itself_ends() -> None:
    # References are unsigned and so point forward; only a reference of 0 could stay, and depth and count bound the rest.
    table = root(sample())
    buffer = table.buffer
    with pytest.raises(CorruptError, match="nest deeper"):
        buffer.table_at(table.at, module.MAX_DEPTH + 1)
    buffer.visited = module.MAX_TABLES
    with pytest.raises(CorruptError, match="more than"):
        buffer.root()


def test_window_bounds() -> None:
    source = Source.from_bytes(bytes(100), "f")
    for start, length in ((0, 101), (-1, 5), (50, 51), (5, -1)):
        with pytest.raises(TruncatedError):
            Window(source, start, length)
    window = Window(source, 10, 20)
    assert window.take(0, 20) == bytes(20)
    for at, n in ((-1, 2), (19, 2), (0, 21), (21, 0), (0, -1)):
        with pytest.raises(CorruptError):
            window.take(at, n)


def test_pages_are_read_once_and_dropped_in_time() -> None:
    source = Source.from_bytes(bytes(PAGE * 4), "f", max_total=1 << 40)
    window = Window(source)
    for _ in range(5):
        window.integer("I", 8)
    assert source.total_read == PAGE
    assert window.integer("I", PAGE - 2) == 0, "across two pages"
    many = Window(Source.from_bytes(bytes(PAGE * (MAX_PAGES + 10)), "f", max_total=1 << 40))
    for k in range(MAX_PAGES + 10):
        many.integer("B", k * PAGE)
    assert len(many._pages) <= MAX_PAGES
