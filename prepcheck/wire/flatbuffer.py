"""A walk over a flatbuffer that trusts nothing: tables, vectors and strings by slot number, read where they are used.

Layout (flatbuffers.dev, "Internals"): a table starts with the signed distance back to its vtable; the vtable holds its
own size, the table's inline size, and for each slot the place of the field in the table (0 = absent). References are
unsigned distances forward from where they stand. Vectors and strings start with a 32-bit count.

Bounds: every place is inside the Window; a field lies inside its table; a count is at most what the rest of the window
can hold and at most a stated limit; tables nest at most MAX_DEPTH deep; at most MAX_TABLES are visited. References only
point forward, and each step costs a visit, so a walk always ends. Every breach is a CorruptError with its place.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Final, final, overload

from prepcheck.errors import CorruptError
from prepcheck.wire.window import Window

MAX_DEPTH: Final = 64
MAX_TABLES: Final = 1_000_000
MAX_STRING: Final = 1 << 20
MAX_ELEMENTS: Final = 1 << 20

_SIZES: Final = {code: struct.calcsize("<" + code) for code in "bBhHiIqQfd"}


@final
class Flatbuffer:
    """A flatbuffer that begins at byte 0 of a window. `root()` is its root table."""

    __slots__ = ("visited", "window")

    def __init__(self, window: Window) -> None:
        self.window = window
        self.visited = 0

    def identifier(self) -> bytes:
        """The four bytes after the root reference, where formats with an identifier keep it; b"" in a short buffer."""
        return self.window.take(4, 4) if self.window.length >= 8 else b""

    def root(self) -> Table:
        """The root table. Raises CorruptError where the reference or the table is broken."""
        return self.table_at(self.window.integer("I", 0), 0)

    def table_at(self, at: int, depth: int) -> Table:
        """The table at a place of the window, at nesting depth `depth`."""
        self.visited += 1
        if self.visited > MAX_TABLES or depth > MAX_DEPTH:
            raise self.window.fault(at, f"tables nest deeper than {MAX_DEPTH} or are more than {MAX_TABLES}.")
        window = self.window
        vtable = at - window.integer("i", at)
        if vtable < 0 or vtable + 4 > window.length:
            raise window.fault(at, "a table refers to a field list outside the flatbuffer.")
        size, inline = window.integer("H", vtable), window.integer("H", vtable + 2)
        if size < 4 or size % 2 or vtable + size > window.length:
            raise window.fault(vtable, f"a table's field list of {size} bytes: at least 4, even and inside is needed.")
        if inline < 4 or at + inline > window.length:
            raise window.fault(at, f"a table of {inline} bytes: at least 4 and inside the flatbuffer is needed.")
        fields = struct.unpack(f"<{size // 2 - 2}H", window.take(vtable + 4, size - 4))
        return Table(self, at, inline, fields, depth)


@final
class Table:
    """One table. Slots are numbered from 0 in the order of the schema; an absent slot gives the default or None."""

    __slots__ = ("_fields", "_inline", "at", "buffer", "depth")

    def __init__(self, buffer: Flatbuffer, at: int, inline: int, fields: tuple[int, ...], depth: int) -> None:
        self.buffer = buffer
        self.at = at
        self.depth = depth
        self._inline = inline
        self._fields = fields

    def fault(self, what: str) -> CorruptError:
        """The error for something wrong in this table."""
        return self.buffer.window.fault(self.at, what)

    def has(self, slot: int) -> bool:
        """Whether the slot is present."""
        return slot < len(self._fields) and self._fields[slot] != 0

    def slots(self) -> int:
        """How many slots the field list names, absent ones included."""
        return len(self._fields)

    def _field(self, slot: int, width: int) -> int | None:
        """Place of a field of `width` bytes in the window; None where absent."""
        if not self.has(slot):
            return None
        inside = self._fields[slot]
        if inside < 4 or inside + width > self._inline:
            raise self.fault(f"field {slot} of {width} bytes at {inside} is outside its table of {self._inline} bytes.")
        return self.at + inside

    def integer(self, slot: int, code: str, default: int = 0) -> int:
        """An integer field; `code` is its struct letter (b B h H i I q Q). A bool is "B"."""
        at = self._field(slot, _SIZES[code])
        return default if at is None else self.buffer.window.integer(code, at)

    def real(self, slot: int, code: str = "f", default: float = 0.0) -> float:
        """A float field (f or d). NaN and infinities come as they are."""
        at = self._field(slot, _SIZES[code])
        return default if at is None else self.buffer.window.real(code, at)

    def place(self, slot: int) -> int | None:
        """Where the reference in a slot points, which may be outside the window; None where absent."""
        at = self._field(slot, 4)
        return None if at is None else at + self.buffer.window.integer("I", at)

    def table(self, slot: int) -> Table | None:
        """A table, or the table of a union (whose type is the slot before)."""
        at = self.place(slot)
        return None if at is None else self.buffer.table_at(at, self.depth + 1)

    def _vector(self, slot: int, width: int, limit: int) -> tuple[int, int] | None:
        """(place of the first element, count) of a vector; None where absent. The count is checked, nothing is read."""
        at = self.place(slot)
        if at is None:
            return None
        window = self.buffer.window
        count = window.integer("I", at)
        if count > limit or at + 4 + count * width > window.length:
            raise window.fault(
                at,
                f"{count} elements of {width} bytes are announced; {max(0, window.length - at - 4)} bytes are left "
                f"and at most {limit} elements are read.",
            )
        return at + 4, count

    def string(self, slot: int, limit: int = MAX_STRING) -> str | None:
        """A string, UTF-8 with U+FFFD for what is none; None where absent."""
        place = self._vector(slot, 1, limit)
        return None if place is None else self.buffer.window.take(*place).decode("utf-8", "replace")

    def count(self, slot: int, width: int = 1) -> int:
        """Elements of a vector whose elements have `width` bytes, without reading them; 0 where absent."""
        place = self._vector(slot, width, 1 << 32)
        return 0 if place is None else place[1]

    def blob(self, slot: int, limit: int = MAX_STRING) -> bytes | None:
        """A vector of bytes; None where absent."""
        place = self._vector(slot, 1, limit)
        return None if place is None else self.buffer.window.take(*place)

    def integers(self, slot: int, code: str = "i", limit: int = MAX_ELEMENTS) -> tuple[int, ...] | None:
        """A vector of integers (struct letter b B h H i I q Q); None where absent."""
        place = self._vector(slot, _SIZES[code], limit)
        if place is None:
            return None
        data = self.buffer.window.take(place[0], place[1] * _SIZES[code])
        return tuple(int(v) for v in struct.unpack(f"<{place[1]}{code}", data))

    def reals(self, slot: int, code: str = "f", limit: int = MAX_ELEMENTS) -> tuple[float, ...] | None:
        """A vector of floats (f or d); None where absent."""
        place = self._vector(slot, _SIZES[code], limit)
        if place is None:
            return None
        data = self.buffer.window.take(place[0], place[1] * _SIZES[code])
        return tuple(float(v) for v in struct.unpack(f"<{place[1]}{code}", data))

    def strings(self, slot: int, limit: int = MAX_ELEMENTS) -> tuple[str, ...] | None:
        """A vector of strings; None where absent. Together they are bounded by the Source's budget."""
        place = self._vector(slot, 4, limit)
        if place is None:
            return None
        return tuple(self._string_at(place[0] + 4 * k) for k in range(place[1]))

    def _string_at(self, at: int) -> str:
        """The string that the reference at `at` points to."""
        window = self.buffer.window
        start = at + window.integer("I", at)
        length = window.integer("I", start)
        if length > MAX_STRING:
            raise window.fault(start, f"a string of {length} bytes; the limit is {MAX_STRING}.")
        return window.take(start + 4, length).decode("utf-8", "replace")

    def tables(self, slot: int, limit: int = MAX_ELEMENTS) -> Tables:
        """A vector of tables, each read when it is asked for; empty where absent."""
        place = self._vector(slot, 4, limit)
        return Tables(self.buffer, *(place or (0, 0)), self.depth + 1)


@final
class Tables(Sequence[Table]):
    """A vector of tables. Indexing reads the table's field list; iterating does so one by one."""

    __slots__ = ("_at", "_buffer", "_count", "_depth")

    def __init__(self, buffer: Flatbuffer, at: int, count: int, depth: int) -> None:
        self._buffer = buffer
        self._at = at
        self._count = count
        self._depth = depth

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Table: ...
    @overload
    def __getitem__(self, index: slice) -> list[Table]: ...
    def __getitem__(self, index: int | slice) -> Table | list[Table]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(self._count))]
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError(index)
        at = self._at + 4 * index
        return self._buffer.table_at(at + self._buffer.window.integer("I", at), self._depth)

    def __iter__(self) -> Iterator[Table]:
        return (self[k] for k in range(self._count))
