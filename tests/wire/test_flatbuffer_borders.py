"""Flatbuffers written byte by byte (flatbuffers.dev, "Internals"): every check at its border, and where its message points."""

from __future__ import annotations

import struct

import pytest

from prepcheck.errors import CorruptError
from prepcheck.wire import flatbuffer as module
from prepcheck.wire.flatbuffer import Flatbuffer, Table
from prepcheck.wire.source import Source
from prepcheck.wire.window import Window


def buffer(data: bytes) -> Flatbuffer:
    return Flatbuffer(Window(Source.from_bytes(data, "f")))


def scalar(data: bytes, place: int = 4) -> bytes:
    """A root table at byte 12 with one slot, whose field stands `place` bytes into the table."""
    return struct.pack("<I3H2xi", 12, 6, 4 + len(data), place, 8) + data


def vector(count: int, data: bytes) -> bytes:
    """A root table at byte 12 with one slot: a reference at byte 16 to the vector at byte 20, its data from byte 24 on."""
    return struct.pack("<I3H2xiII", 12, 6, 8, 4, 8, 4, count) + data


def root(data: bytes) -> Table:
    return buffer(data).root()


def fault(at: int, words: str) -> str:
    return f"f: byte {at} (0x{at:x}): {words} The file is damaged: copy or export it again."


def message(error: pytest.ExceptionInfo[CorruptError]) -> str:
    return error.value.message


def test_limits() -> None:
    assert (module.MAX_DEPTH, module.MAX_TABLES) == (64, 1_000_000)
    assert module.MAX_STRING == module.MAX_ELEMENTS == 1_048_576


def test_an_identifier_needs_eight_bytes() -> None:
    assert buffer(b"\0\0\0\0ABCD").identifier() == b"ABCD"
    assert buffer(b"\0\0\0\0ABCDE").identifier() == b"ABCD"
    assert buffer(b"\0\0\0\0ABC").identifier() == b""


def test_a_field_list_may_begin_at_the_first_byte_and_end_at_the_last() -> None:
    before = buffer(struct.pack("<HHi", 4, 4, 4))  # field list at 0, table at 4 to the end
    assert before.table_at(4, 0).slots() == 0
    behind = buffer(struct.pack("<iHH", -4, 4, 4))  # table at 0, field list at 4 to the end
    table = behind.table_at(0, 7)
    assert (table.at, table.depth, table.slots(), table.has(0)) == (0, 7, 0, False)


@pytest.mark.parametrize(
    ("data", "at", "place", "words"),
    [
        (struct.pack("<HHi", 4, 4, 5), 4, 4, "a table refers to a field list outside the flatbuffer."),
        (struct.pack("<iHB", -4, 4, 4), 0, 0, "a table refers to a field list outside the flatbuffer."),
        (struct.pack("<HHi", 2, 4, 4), 4, 0, "a table's field list of 2 bytes: at least 4, even and inside is needed."),
        (struct.pack("<HHi", 5, 4, 4), 4, 0, "a table's field list of 5 bytes: at least 4, even and inside is needed."),
        (
            struct.pack("<iHH", -4, 6, 4),
            0,
            4,
            "a table's field list of 6 bytes: at least 4, even and inside is needed.",
        ),
        (struct.pack("<HHi", 4, 3, 4), 4, 4, "a table of 3 bytes: at least 4 and inside the flatbuffer is needed."),
        (struct.pack("<HHi", 4, 5, 4), 4, 4, "a table of 5 bytes: at least 4 and inside the flatbuffer is needed."),
    ],
)
def test_broken_tables(data: bytes, at: int, place: int, words: str) -> None:
    with pytest.raises(CorruptError) as error:
        buffer(data).table_at(at, 0)
    assert message(error) == fault(place, words)


def test_tables_are_counted_and_depth_is_bounded() -> None:
    found = buffer(scalar(b"\x07"))
    assert found.visited == 0
    top = found.root()
    assert (found.visited, top.depth, top.at) == (1, 0, 12)
    assert found.table_at(12, module.MAX_DEPTH).depth == 64
    with pytest.raises(CorruptError) as error:
        found.table_at(12, module.MAX_DEPTH + 1)
    assert message(error) == fault(12, "tables nest deeper than 64 or are more than 1000000.")
    found.visited = module.MAX_TABLES - 1
    found.root()
    with pytest.raises(CorruptError, match="more than 1000000"):
        found.root()


def test_slots() -> None:
    table = root(struct.pack("<I5H2xiBxH", 16, 10, 8, 4, 0, 6, 12, 9, 300))
    assert [table.has(k) for k in range(4)] == [True, False, True, False]
    assert table.slots() == 3
    assert (table.integer(0, "B"), table.integer(1, "B"), table.integer(2, "H")) == (9, 0, 300)
    assert (table.integer(1, "B", 5), table.integer(0, "B", 5)) == (5, 9)


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("b", -2),
        ("B", 254),
        ("h", -300),
        ("H", 65000),
        ("i", -70000),
        ("I", 1 << 31),
        ("q", -(1 << 40)),
        ("Q", 1 << 63),
    ],
)
def test_integers_of_every_width_at_the_end_of_their_table(code: str, value: int) -> None:
    data = scalar(struct.pack("<" + code, value))
    assert root(data).integer(0, code) == value
    assert root(data).integer(1, code) == 0
    short = bytearray(data)
    struct.pack_into("<H", short, 6, 3 + struct.calcsize("<" + code))  # the table one byte shorter
    if code not in "bB":
        with pytest.raises(CorruptError, match="is outside its table of"):
            root(bytes(short)).integer(0, code)


def test_a_field_lies_inside_its_table() -> None:
    with pytest.raises(CorruptError) as error:
        root(scalar(b"\1\2\3\4", place=3)).integer(0, "B")
    assert message(error) == fault(12, "field 0 of 1 bytes at 3 is outside its table of 8 bytes.")
    with pytest.raises(CorruptError) as error:
        root(scalar(b"\1\2\3\4", place=6)).integer(0, "i")
    assert message(error) == fault(12, "field 0 of 4 bytes at 6 is outside its table of 8 bytes.")
    assert root(scalar(b"\1\2\3\4", place=6)).integer(0, "H") == 0x0403
    assert root(b"" + scalar(b"\1")).fault("words.").message == fault(12, "words.")


def test_reals() -> None:
    assert root(scalar(struct.pack("<f", 0.5))).real(0) == 0.5
    assert root(scalar(struct.pack("<d", 0.1))).real(0, "d") == 0.1
    assert root(scalar(b"\0")).real(1) == 0.0
    assert root(scalar(b"\0")).real(1, "d", 2.5) == 2.5


def test_references_count_from_where_they_stand() -> None:
    table = root(scalar(struct.pack("<I", 1000)))
    assert (table.place(0), table.place(1)) == (1016, None)
    with pytest.raises(CorruptError) as error:
        root(scalar(b"\1\2\3")).place(0)  # a reference takes four bytes
    assert message(error) == fault(12, "field 0 of 4 bytes at 4 is outside its table of 7 bytes.")


def test_tables_in_tables_are_one_deeper() -> None:
    """Three tables that share one field list at byte 4: at 12, 20 and 28, each referring to the next (28: to itself)."""
    data = struct.pack("<I3H2xiIiIiI", 12, 6, 8, 4, 8, 4, 16, 4, 24, 0)
    top = root(data)
    child = top.table(0)
    assert child is not None
    grandchild = child.table(0)
    assert grandchild is not None
    assert [(t.at, t.depth) for t in (top, child, grandchild)] == [(12, 0), (20, 1), (28, 2)]
    assert top.table(1) is None
    assert top.buffer.visited == 3


@pytest.mark.parametrize(("code", "width"), [("b", 1), ("H", 2), ("i", 4), ("q", 8)])
def test_a_vector_may_end_with_the_buffer(code: str, width: int) -> None:
    data = vector(3, struct.pack(f"<3{code}", 1, 2, 3))
    assert root(data).integers(0, code) == (1, 2, 3)
    assert root(data).count(0, width) == 3
    with pytest.raises(CorruptError) as error:
        root(data[:-1]).integers(0, code)
    assert message(error) == fault(
        20,
        f"3 elements of {width} bytes are announced; {3 * width - 1} bytes are left and at most 1048576 elements are read.",
    )


def test_a_vector_may_have_as_many_elements_as_the_limit() -> None:
    for read in (Table.integers, Table.reals):
        code = "i" if read is Table.integers else "f"
        data = vector(2, struct.pack(f"<2{code}", 4, 5))
        assert read(root(data), 0, limit=2) == (4, 5)
        with pytest.raises(CorruptError, match="at most 1 elements"):
            read(root(data), 0, limit=1)
        assert read(root(data), 1) is None
    assert root(vector(2, struct.pack("<2d", 0.1, -5))).reals(0, "d") == (0.1, -5.0)
    assert root(vector(3, b"abc")).string(0, 3) == root(vector(3, b"abc")).string(0) == "abc"
    assert root(vector(3, b"abc")).blob(0, 3) == root(vector(3, b"abc")).blob(0) == b"abc"
    for text in (Table.string, Table.blob):
        with pytest.raises(CorruptError) as error:
            text(root(vector(3, b"abc")), 0, 2)
        assert message(error) == fault(
            20, "3 elements of 1 bytes are announced; 3 bytes are left and at most 2 elements are read."
        )
        assert text(root(vector(3, b"abc")), 1) is None


def test_counts_are_taken_without_reading() -> None:
    table = root(vector(5, bytes(20)))
    assert (table.count(0), table.count(0, 4), table.count(1)) == (5, 5, 0)
    with pytest.raises(CorruptError, match="5 elements of 5 bytes are announced; 20 bytes are left"):
        table.count(0, 5)
    many = root(vector(2_000_000, bytes(2_000_000)))  # more than would be read
    assert many.count(0) == 2_000_000


def test_what_is_no_utf8_becomes_a_replacement_character() -> None:
    assert root(vector(3, b"a\xffb")).string(0) == "a\ufffdb"
    assert root(strings(b"a\xff", b"")).strings(0) == ("a\ufffd", "")


def strings(*texts: bytes) -> bytes:
    """A vector of strings: the references from byte 24 on, then each string with its length."""
    refs, body = b"", b""
    for k, text in enumerate(texts):
        start = 24 + 4 * len(texts) + len(body)
        refs += struct.pack("<I", start - (24 + 4 * k))
        body += struct.pack("<I", len(text)) + text
    return vector(len(texts), refs + body)


def test_vectors_of_strings(monkeypatch: pytest.MonkeyPatch) -> None:
    data = strings("é".encode(), b"bcd", b"")
    assert root(data).strings(0) == root(data).strings(0, 3) == ("é", "bcd", "")
    assert root(data).strings(1) is None
    with pytest.raises(CorruptError, match=r"3 elements of 4 bytes .* at most 2 elements"):
        root(data).strings(0, 2)
    with pytest.raises(CorruptError, match="5 elements of 4 bytes are announced; 16 bytes are left"):
        root(vector(5, bytes(16))).strings(0)
    monkeypatch.setattr(module, "MAX_STRING", 3)
    assert root(data).strings(0) == ("é", "bcd", "")
    monkeypatch.setattr(module, "MAX_STRING", 2)
    with pytest.raises(CorruptError) as error:
        root(data).strings(0)
    assert message(error) == fault(24 + 12 + 6, "a string of 3 bytes; the limit is 2.")


def tables() -> Table:
    """A root with a vector of three tables of one byte each, which share a field list at byte 36."""
    body = struct.pack("<3I", 18, 19, 20)  # to 24 + 18 = 42, 28 + 19 = 47, 32 + 20 = 52
    body += struct.pack("<3H", 6, 5, 4)
    body += b"".join(struct.pack("<iB", at - 36, value) for at, value in ((42, 10), (47, 20), (52, 30)))
    return root(vector(3, body))


def test_vectors_of_tables_are_indexed_like_lists() -> None:
    found = tables().tables(0)
    assert [t.integer(0, "B") for t in found] == [10, 20, 30]
    assert [t.depth for t in found] == [1, 1, 1]
    assert [found[k].integer(0, "B") for k in (0, 1, 2, -1, -2, -3)] == [10, 20, 30, 30, 20, 10]
    assert [t.integer(0, "B") for t in found[::-1]] == [30, 20, 10]
    assert [t.integer(0, "B") for t in found[-2:9]] == [20, 30]
    assert [t.integer(0, "B") for t in found[::2]] == [10, 30]
    for index in (3, -4):
        with pytest.raises(IndexError) as error:
            found[index]
        assert error.value.args == ((3,) if index == 3 else (-1,))


def test_vectors_of_tables_are_bounded_and_may_be_absent() -> None:
    assert len(tables().tables(0, 3)) == 3
    with pytest.raises(CorruptError, match=r"3 elements of 4 bytes .* at most 2 elements"):
        tables().tables(0, 2)
    with pytest.raises(CorruptError, match="5 elements of 4 bytes are announced; 16 bytes are left"):
        root(vector(5, bytes(16))).tables(0)
    none = tables().tables(1)
    assert (len(none), list(none), none[:]) == (0, [], [])
    with pytest.raises(IndexError):
        none[0]
