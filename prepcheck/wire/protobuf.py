"""A walk over protobuf messages that trusts nothing: fields by number, read where they are used, skipped where they are not.

Wire format (protobuf.dev, "Encoding"): a field is a varint key (number << 3 | wire type), then a varint (0), 8 bytes (1), a
varint length and so many bytes (2), or 4 bytes (5). Groups (3, 4) are not read. A length is checked against the message
that holds it before anything is read; what is skipped costs no read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, final

from prepcheck.wire.window import Window

MAX_DEPTH: Final = 32
MAX_FIELDS: Final = 4_000_000
"""Fields visited in all. A network of 100,000 nodes has about a million; a walk of so many takes a few seconds."""
MAX_TEXT: Final = 1 << 16
MAX_VARINT: Final = 10


@final
class Message:
    """The message in bytes start … end of a window."""

    __slots__ = ("budget", "depth", "end", "start", "window")

    def __init__(
        self, window: Window, start: int = 0, end: int | None = None, *, depth: int = 0, budget: Budget | None = None
    ) -> None:
        self.window = window
        self.start = start
        self.end = window.length if end is None else end
        self.depth = depth
        self.budget = budget or Budget()

    def fields(self) -> Iterator[Field]:
        """Every field in the order of the file. Raises CorruptError where a key, a type or a length is impossible."""
        at = self.start
        while at < self.end:
            self.budget.left -= 1
            if self.budget.left < 0:
                raise self.window.fault(at, f"more than {MAX_FIELDS} fields.")
            begin = at
            key, at = self.varint(at)
            number, wire = key >> 3, key & 7
            if number == 0 or number > (1 << 29) - 1:
                raise self.window.fault(begin, f"a field cannot have the number {number}.")
            if wire == 0:
                value, at = self.varint(at)
                yield Field(self, number, wire, value, begin, 0)
            elif wire == 2:
                length, at = self.varint(at)
                if at + length > self.end:
                    raise self.window.fault(
                        begin,
                        f"field {number} announces {length} bytes; {self.end - at} are left in the message that holds it.",
                    )
                yield Field(self, number, wire, at, begin, length)
                at += length
            elif wire in (1, 5):
                width = 8 if wire == 1 else 4
                if at + width > self.end:
                    raise self.window.fault(
                        begin, f"field {number} of {width} bytes reaches beyond the message that holds it."
                    )
                yield Field(self, number, wire, at, begin, width)
                at += width
            else:
                raise self.window.fault(begin, f"field {number} has the wire type {wire}, which is not used.")

    def varint(self, at: int) -> tuple[int, int]:
        """(value, place after it). Raises CorruptError for one of more than 10 bytes, or beyond the message."""
        data = self.window.take(at, min(MAX_VARINT, self.end - at))
        value = 0
        for k, byte in enumerate(data):
            value |= (byte & 0x7F) << (7 * k)
            if byte < 0x80:
                return value & (1 << 64) - 1, at + k + 1
        raise self.window.fault(at, "a number that does not end.")


class Budget:
    """What one walk over a file may still visit."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MAX_FIELDS


@final
class Field:
    """One field. value: of a varint (unsigned), or the place of the content; length: of the content in bytes."""

    __slots__ = ("begin", "length", "number", "parent", "value", "wire")

    def __init__(self, parent: Message, number: int, wire: int, value: int, begin: int, length: int) -> None:
        self.parent = parent
        self.number = number
        self.wire = wire
        self.value = value
        self.begin = begin
        self.length = length

    def _expect(self, wire: int) -> None:
        if self.wire != wire:
            raise self.parent.window.fault(
                self.begin, f"field {self.number} has the wire type {self.wire}; {wire} is expected."
            )

    def message(self) -> Message:
        """The content as a message."""
        self._expect(2)
        parent = self.parent
        if parent.depth + 1 > MAX_DEPTH:
            raise parent.window.fault(self.begin, f"messages nest deeper than {MAX_DEPTH}.")
        return Message(
            parent.window, self.value, self.value + self.length, depth=parent.depth + 1, budget=parent.budget
        )

    def integer(self) -> int:
        """A signed 64-bit number of a varint."""
        self._expect(0)
        return self.value - (1 << 64) if self.value >= 1 << 63 else self.value

    def text(self, limit: int = MAX_TEXT) -> str:
        """UTF-8 with U+FFFD for what is none. Raises CorruptError over `limit` bytes."""
        self._expect(2)
        if self.length > limit:
            raise self.parent.window.fault(self.begin, f"a text of {self.length} bytes; at most {limit} are read.")
        return self.parent.window.take(self.value, self.length).decode("utf-8", "replace")

    def integers(self, limit: int = 64) -> list[int]:
        """Numbers of a repeated field: packed, or the single one that stands here."""
        if self.wire == 0:
            return [self.integer()]
        inner = self.message()
        found: list[int] = []
        at = inner.start
        while at < inner.end:
            value, at = inner.varint(at)
            found.append(value - (1 << 64) if value >= 1 << 63 else value)
            if len(found) > limit:
                raise self.parent.window.fault(self.begin, f"more than {limit} numbers.")
        return found

    def real(self) -> float:
        """A float of 4 bytes."""
        self._expect(5)
        return float(struct.unpack("<f", self.parent.window.take(self.value, 4))[0])
