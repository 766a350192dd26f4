"""Protobuf messages written byte by byte (protobuf.dev, "Encoding") and by the protobuf package: every check at its border."""

from __future__ import annotations

import struct

import pytest
from google.protobuf import struct_pb2, wrappers_pb2  # type: ignore[import-untyped]

from prepcheck.errors import CorruptError
from prepcheck.wire import protobuf as module
from prepcheck.wire.protobuf import Budget, Field, Message
from prepcheck.wire.source import Source
from prepcheck.wire.window import Window


def message(data: bytes, start: int = 0, end: int | None = None) -> Message:
    return Message(Window(Source.from_bytes(data, "f")), start, end)


def fields(data: bytes) -> list[tuple[int, int, int, int, int]]:
    """number, wire type, value or place of the content, place of the field, length of the content."""
    return [(f.number, f.wire, f.value, f.begin, f.length) for f in message(data).fields()]


def only(data: bytes) -> Field:
    (found,) = message(data).fields()
    return found


def fails(data: bytes, at: int, words: str) -> None:
    with pytest.raises(CorruptError) as error:
        list(message(data).fields())
    assert error.value.message == told(at, words)


def told(at: int, words: str) -> str:
    return f"f: byte {at} (0x{at:x}): {words} The file is damaged: copy or export it again."


def test_limits() -> None:
    assert (module.MAX_DEPTH, module.MAX_FIELDS, module.MAX_TEXT, module.MAX_VARINT) == (32, 4_000_000, 65536, 10)
    assert Budget().left == 4_000_000


def test_every_wire_type_in_one_message() -> None:
    data = b"\x08\x96\x01" + b"\x12\x03abc" + b"\x19" + b"\1" * 8 + b"\x25" + b"\2" * 4 + b"\x2a\x00" + b"\x30\x01"
    assert fields(data) == [
        (1, 0, 150, 0, 0),
        (2, 2, 5, 3, 3),
        (3, 1, 9, 8, 8),
        (4, 5, 18, 17, 4),
        (5, 2, 24, 22, 0),
        (6, 0, 1, 24, 0),
    ]
    found = message(data)
    assert (found.start, found.end, found.depth, found.budget.left) == (0, len(data), 0, 4_000_000)
    assert all(f.parent is found for f in found.fields())
    assert found.budget.left == 4_000_000 - 6


def test_a_part_of_a_window() -> None:
    assert [f.number for f in message(b"\xff\x08\x01\x10\x02\xff", 1, 5).fields()] == [1, 2]
    assert [f.number for f in message(b"\xff\x08\x01", 1).fields()] == [1]
    assert list(message(b"").fields()) == []


def test_field_numbers_are_1_to_2_to_the_29_less_1() -> None:
    largest = (1 << 29) - 1
    assert fields(b"\xf8\xff\xff\xff\x0f\x05") == [(largest, 0, 5, 0, 0)]
    fails(b"\x80\x80\x80\x80\x10\x05", 0, f"a field cannot have the number {largest + 1}.")
    fails(b"\x08\x01\x00\x05", 2, "a field cannot have the number 0.")
    fails(b"\x07", 0, "a field cannot have the number 0.")


@pytest.mark.parametrize("wire", [3, 4, 6, 7])
def test_groups_and_unknown_wire_types_are_refused(wire: int) -> None:
    fails(b"\x08\x01" + bytes([8 | wire]) + bytes(20), 2, f"field 1 has the wire type {wire}, which is not used.")


def test_content_may_end_with_its_message() -> None:
    assert fields(b"\x12\x02ab") == [(2, 2, 2, 0, 2)]
    fails(b"\x08\x01\x12\x03ab", 2, "field 2 announces 3 bytes; 2 are left in the message that holds it.")
    for key, width in ((0x09, 8), (0x0D, 4)):
        assert fields(bytes([key]) + bytes(width)) == [(1, key & 7, 1, 0, width)]
        fails(bytes([key]) + bytes(width - 1), 0, f"field 1 of {width} bytes reaches beyond the message that holds it.")


def test_content_of_an_inner_message_may_not_reach_into_the_outer_one() -> None:
    inner = only(b"\x0a\x02\x12\x01" + b"").message()
    with pytest.raises(CorruptError, match="field 2 announces 1 bytes; 0 are left"):
        list(inner.fields())
    outer = next(message(b"\x0a\x02\x08\xff\x08\x01").fields())
    with pytest.raises(CorruptError, match=r"byte 3 \(0x3\): a number that does not end"):
        list(outer.message().fields())


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"\x00", 0),
        (b"\x7f", 127),
        (b"\x80\x01", 128),
        (b"\xff\xff\x03", 65535),
        (b"\xff" * 9 + b"\x01", (1 << 64) - 1),
        (b"\x80" * 9 + b"\x01", 1 << 63),
        (b"\x81" + b"\x80" * 8 + b"\x02", 1),  # bits beyond 64 are dropped
        (b"\x81\x80\x00", 1),  # longer than it has to be
    ],
)
def test_varints(data: bytes, value: int) -> None:
    assert message(b"\xaa" + data + b"\x55").varint(1) == (value, 1 + len(data))
    assert message(data).varint(0) == (value, len(data))


@pytest.mark.parametrize("data", [b"", b"\x80", b"\x80" * 10, b"\x80" * 10 + b"\x01"])
def test_a_varint_of_more_than_ten_bytes_or_cut_is_no_number(data: bytes) -> None:
    with pytest.raises(CorruptError) as error:
        message(data).varint(0)
    assert error.value.message == told(0, "a number that does not end.")


def test_the_budget_is_shared_by_all_messages_of_a_walk() -> None:
    budget = Budget()
    budget.left = 3
    data = b"\x0a\x04\x08\x01\x08\x02\x10\x03"
    walk = Message(Window(Source.from_bytes(data, "f")), budget=budget)
    outer = walk.fields()
    inner = next(outer).message()
    assert inner.budget is budget
    assert [f.integer() for f in inner.fields()] == [1, 2]
    assert budget.left == 0
    with pytest.raises(CorruptError) as error:
        next(outer)
    assert error.value.message == told(6, "more than 4000000 fields.")


def test_messages_nest_32_deep() -> None:
    data = b""
    for _ in range(33):
        length = len(data)
        data = b"\x0a" + (bytes([length]) if length < 128 else bytes([length & 127 | 128, length >> 7])) + data
    found = message(data)
    for depth in range(1, 33):
        (field,) = found.fields()
        found = field.message()
        assert found.depth == depth
    (field,) = found.fields()
    with pytest.raises(CorruptError, match="messages nest deeper than 32"):
        field.message()


@pytest.mark.parametrize("value", [0, 1, -1, 150, (1 << 63) - 1, -(1 << 63)])
def test_integers_are_signed_64_bit(value: int) -> None:
    data = b"\x08\x00" if value == 0 else wrappers_pb2.Int64Value(value=value).SerializeToString()
    assert only(data).integer() == value
    assert only(data).integers() == [value]


def test_texts() -> None:
    assert only(wrappers_pb2.StringValue(value="héllo 🙂").SerializeToString()).text() == "héllo 🙂"
    assert only(b"\x0a\x03a\xffb").text() == "a\ufffdb"
    assert only(b"\x0a\x03abc").text(3) == "abc"
    with pytest.raises(CorruptError) as error:
        only(b"\x0a\x03abc").text(2)
    assert error.value.message == told(0, "a text of 3 bytes; at most 2 are read.")
    assert len(only(wrappers_pb2.StringValue(value="x" * 65536).SerializeToString()).text()) == 65536
    with pytest.raises(CorruptError, match="at most 65536"):
        only(wrappers_pb2.StringValue(value="x" * 65537).SerializeToString()).text()


def test_floats() -> None:
    assert only(wrappers_pb2.FloatValue(value=-2.5).SerializeToString()).real() == -2.5
    assert only(b"\x08\x01\x0d"[2:] + struct.pack("<f", 0.15625)).real() == 0.15625


def test_packed_numbers() -> None:
    assert only(b"\x0a\x04\x01\x96\x01\x03").integers() == [1, 150, 3]
    assert only(b"\x0a\x0b\x02" + b"\xff" * 9 + b"\x01").integers() == [2, -1]
    assert only(b"\x0a\x14" + b"\x80" * 9 + b"\x01" + b"\xff" * 8 + b"\x7f\x00"[:2]).integers() == [
        -(1 << 63),
        (1 << 63) - 1,
        0,
    ]
    assert only(b"\x0a\x00").integers() == []
    assert only(b"\x0a\x02\x01\x02").integers(2) == [1, 2]
    with pytest.raises(CorruptError) as error:
        only(b"\x0a\x03\x01\x02\x03").integers(2)
    assert error.value.message == told(0, "more than 2 numbers.")
    assert only(b"\x0a\x40" + b"\x07" * 64).integers() == [7] * 64
    with pytest.raises(CorruptError, match="more than 64"):
        only(b"\x0a\x41" + b"\x07" * 65).integers()
    with pytest.raises(CorruptError, match="does not end"):
        only(b"\x0a\x02\x01\x80").integers()


def test_the_wire_type_has_to_be_the_one_asked_for() -> None:
    number, text, real, double = b"\x08\x01", b"\x0a\x01x", b"\x0d" + bytes(4), b"\x09" + bytes(8)
    for data, wire, wanted, read in (
        (text, 2, 0, Field.integer),
        (number, 0, 2, Field.text),
        (number, 0, 2, Field.message),
        (double, 1, 5, Field.real),
        (real, 5, 2, Field.integers),
    ):
        with pytest.raises(CorruptError) as error:
            read(only(data))
        assert error.value.message == told(0, f"field 1 has the wire type {wire}; {wanted} is expected.")


def test_a_message_of_the_protobuf_package_comes_back() -> None:
    """google.protobuf.ListValue: field 1 are values, of which field 3 is a string and field 6 a list again."""
    whole = struct_pb2.ListValue()
    whole.append("one")
    whole.append("zwölf")
    inner = struct_pb2.ListValue()
    inner.append("three")
    whole.append(inner)

    def texts(found: Message) -> list[object]:
        values = [next(value.message().fields()) for value in found.fields()]
        return [texts(v.message()) if v.number == 6 else v.text() for v in values]

    assert texts(message(whole.SerializeToString())) == ["one", "zwölf", ["three"]]
