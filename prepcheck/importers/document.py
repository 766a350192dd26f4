"""A foreign text with the place of every value, so that each refusal says where."""

from __future__ import annotations

import os
from typing import NoReturn

from prepcheck.errors import CorruptError, TooLargeError
from prepcheck.records import dataclass
from prepcheck.wire.source import Source

MAX_BYTES = 1 << 20
"""Largest file that is read. Preprocessing files seen have 0.3 to 40 kB."""

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A foreign file. form: json, yaml, ini or python; places: path of a value → (line, column), both counted from 1."""

    name: str
    form: str
    text: str
    value: Plain
    places: dict[Path, tuple[int, int]]

    def at(self, *path: str | int) -> str:
        """`name:line:column` of the nearest known part of `path`."""
        found = self._place(path)
        return f"{self.name}:{found[0]}:{found[1]}" if found else self.name

    def line(self, *path: str | int) -> int | None:
        """The line of the nearest known part of `path`."""
        found = self._place(path)
        return found[0] if found else None

    def _place(self, path: Path) -> tuple[int, int] | None:
        for end in range(len(path), 0, -1):
            if path[:end] in self.places:
                return self.places[path[:end]]
        return None

    def fail(self, path: Path, message: str) -> NoReturn:
        """Raise CorruptError for the value at `path`."""
        key = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")
        raise CorruptError(f"{self.at(*path)}: {key + ': ' if key else ''}{message}")


def read_text(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> str:
    """The text of a file. Raises NotFoundError, WrongKindError (a pipe, a device), TooLargeError or CorruptError."""
    with Source.open(path) as source:
        if source.size > limit:
            raise TooLargeError(
                f"{source.name} has {source.size} bytes; a preprocessing file is a short text, and at most {limit} are read."
            )
        data = source.read(0, source.size)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            raise CorruptError(
                f"{source.name}: byte {fault.start} is not UTF-8: save the file as UTF-8 text."
            ) from None
