"""JSON with the place of every key and item: duplicates, NaN, endless numbers and deep nesting are refused where they stand."""

from __future__ import annotations

import json
import re
from typing import Final, NoReturn, final

from prepcheck.errors import CorruptError, TooLargeError
from prepcheck.importers.document import Document, Path, Plain

MAX_DEPTH: Final = 40
MAX_VALUES: Final = 100_000
MAX_DIGITS: Final = 40

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORD = re.compile(r"[-+]?[A-Za-z_]+")
_WORDS: Final[dict[str, Plain]] = {"true": True, "false": False, "null": None}


def parse(text: str, name: str) -> Document:
    """The document. Raises CorruptError (line and column) where it is no JSON, TooLargeError for too many values."""
    reader = _Reader(text, name)
    reader.skip()
    value = reader.value((), 0)
    reader.skip()
    if reader.at < len(text):
        reader.fail("something follows the end of the document")
    return Document(name, "json", text, value, reader.places)


@final
class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.at = 0
        self.count = 0
        self.places: dict[Path, tuple[int, int]] = {}
        self._line, self._start, self._seen = 1, 0, 0  # of the last place asked for: places come in order

    def place(self, at: int | None = None) -> tuple[int, int]:
        """Line and column of a position that is not before the last one asked for."""
        at = self.at if at is None else at
        newlines = self.text.count("\n", self._seen, at)
        if newlines:
            self._line += newlines
            self._start = self.text.rfind("\n", self._seen, at) + 1
        self._seen = at
        return (self._line, at - self._start + 1)

    def fail(self, message: str) -> NoReturn:
        line, column = self.place()
        raise CorruptError(f"{self.name}:{line}:{column}: {message}")

    def skip(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def value(self, path: Path, depth: int) -> Plain:
        self.count += 1
        if self.count > MAX_VALUES:
            raise TooLargeError(f"{self.name}: over {MAX_VALUES} values; a preprocessing file has tens.")
        if depth > MAX_DEPTH:
            self.fail(f"nested deeper than {MAX_DEPTH} levels")
        self.places.setdefault(path, self.place())
        start = self.peek()
        if start == "{":
            return self.table(path, depth)
        if start == "[":
            return self.items(path, depth)
        if start == '"':
            return self.string()
        return self.scalar()

    def scalar(self) -> Plain:
        number = _NUMBER.match(self.text, self.at)
        if number and number.end() > number.start():
            return self.number(number[0])
        word = _WORD.match(self.text, self.at)
        if word and word[0] in _WORDS:
            self.at = word.end()
            return _WORDS[word[0]]
        return self.fail(f"{word[0][:20]} is no JSON value" if word else "a value is expected here")

    def number(self, text: str) -> int | float:
        if len(text) > MAX_DIGITS:
            self.fail(f"a number of {len(text)} characters")
        value: int | float = float(text) if any(c in text for c in ".eE") else int(text)
        if isinstance(value, float) and value in (float("inf"), float("-inf")):
            self.fail(f"{text} is beyond all numbers")
        self.at += len(text)
        return value

    def string(self) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            self.fail("a text that does not end, or holds a control character")
        self.at = match.end()
        text: str = json.loads(match[0])
        return text.encode("utf-8", "replace").decode("utf-8")  # lone surrogates cannot be written out

    def table(self, path: Path, depth: int) -> dict[str, Plain]:
        self.at += 1
        found: dict[str, Plain] = {}
        while True:
            self.skip()
            if self.peek() == "}" and not found:
                break
            if self.peek() != '"':
                self.fail("a key in double quotes is expected here")
            before, where = self.at, self.place()
            key = self.string()
            inner = (*path, key)
            if key in found:
                self.at = before
                first = self.places[inner]
                self.fail(f"key '{key}' stands a second time (first in line {first[0]}); readers keep one of the two")
            self.places[inner] = where
            self.expect(":")
            found[key] = self.value(inner, depth + 1)
            self.skip()
            if self.peek() != ",":
                break
            self.at += 1
        self.expect("}")
        return found

    def items(self, path: Path, depth: int) -> list[Plain]:
        self.at += 1
        found: list[Plain] = []
        while True:
            self.skip()
            if self.peek() == "]" and not found:
                break
            found.append(self.value((*path, len(found)), depth + 1))
            self.skip()
            if self.peek() != ",":
                break
            self.at += 1
        self.expect("]")
        return found

    def expect(self, mark: str) -> None:
        self.skip()
        if self.peek() != mark:
            self.fail(f"'{mark}' is expected here")
        self.at += 1
        self.skip()
