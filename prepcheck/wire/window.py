"""A part of a Source with its own origin: little-endian scalars through a small cache of pages.

Offsets are counted from the start of the part; messages give the place in the file. A place outside the part is a
CorruptError (the file contradicts itself), not a TruncatedError: readers compare lengths before they make a Window.
"""

from __future__ import annotations

import struct
from typing import Final, final

from prepcheck.errors import CorruptError, TruncatedError
from prepcheck.wire.source import Source

PAGE: Final = 4096
MAX_PAGES: Final = 2048
"""Pages kept (8 MiB). Above that the cache starts anew; the Source's budget bounds how often that can happen."""

_FORMATS: Final = {code: struct.Struct("<" + code) for code in "bBhHiIqQfd"}
"""struct codes of the scalars: b B h H i I q Q f d."""


@final
class Window:
    """`length` bytes of `source` from byte `start` of the file on."""

    __slots__ = ("_pages", "length", "source", "start")

    def __init__(self, source: Source, start: int = 0, length: int | None = None) -> None:
        """Raises TruncatedError where the file is shorter than the window."""
        length = source.size - start if length is None else length
        if start < 0 or length < 0 or start + length > source.size:
            raise TruncatedError(
                f"{source.name} ends at byte {source.size}; a part of {length} bytes is announced at byte {start}."
            )
        self.source = source
        self.start = start
        self.length = length
        self._pages: dict[int, bytes] = {}

    def fault(self, at: int, what: str) -> CorruptError:
        """The error for a place of the window: names the file and the byte in it."""
        place = f"byte {self.start + at} (0x{self.start + at:x})"
        return CorruptError(f"{self.source.name}: {place}: {what} The file is damaged: copy or export it again.")

    def take(self, at: int, n: int) -> bytes:
        """`n` bytes at `at`. Raises CorruptError outside the window."""
        if at < 0 or n < 0 or at + n > self.length:
            raise self.fault(at, f"{n} bytes are referred to, outside the part of {self.length} bytes that holds them.")
        page, inside = divmod(at, PAGE)
        if inside + n <= PAGE:
            return self._page(page)[inside : inside + n]
        return self.source.read(self.start + at, n)

    def _page(self, number: int) -> bytes:
        page = self._pages.get(number)
        if page is None:
            if len(self._pages) >= MAX_PAGES:
                self._pages.clear()
            at = number * PAGE
            page = self.source.read(self.start + at, min(PAGE, self.length - at))
            self._pages[number] = page
        return page

    def integer(self, code: str, at: int) -> int:
        """A little-endian integer; `code` is one of b B h H i I q Q (struct)."""
        form = _FORMATS[code]
        return int(form.unpack(self.take(at, form.size))[0])

    def real(self, code: str, at: int) -> float:
        """A little-endian float; `code` is f or d (struct). NaN and infinities come as they are."""
        form = _FORMATS[code]
        return float(form.unpack(self.take(at, form.size))[0])
