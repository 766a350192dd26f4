"""The `repr` of plain Python data, read without Python's own parser.

`ast.literal_eval` is no tool for text from a file: deep nesting can exhaust the C stack of the interpreter (its
documentation says so), and it refuses `nan` and what numpy 2 prints for its scalars. This reads dict, list, tuple, set,
str, bytes, int, float, True, False, None, nan, inf and calls such as `np.float32(0.5)` or `array([1, 2], dtype=int32)`
(their first argument); tuples and sets come as lists, keys as strings.
"""

from __future__ import annotations

import re
from typing import Final

from prepcheck.wire.values import Value

MAX_TEXT: Final = 1 << 20
MAX_DEPTH: Final = 32
MAX_VALUES: Final = 100_000

_TOKEN: Final = re.compile(
    r"\s*(?:"
    r"(?P<text>b?(?:'[^'\\]*(?:\\.[^'\\]*)*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\"))"
    r"|(?P<number>[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)"
    r"|(?P<name>[-+]?[A-Za-z_][\w.]*)"
    r"|(?P<mark>[{}\[\](),:=])"
    r")",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(0010[0-9a-fA-F]{4}|000[0-9a-fA-F]{5})|(.))", re.DOTALL
)
_LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\n": ""}
_WORDS: Final[dict[str, Value]] = {
    "True": True,
    "False": False,
    "None": None,
    "nan": float("nan"),
    "inf": float("inf"),
    "-inf": float("-inf"),
}
_CLOSING: Final = {"[": "]", "(": ")", "{": "}"}


class ReprError(ValueError):
    """The text is not such a repr, or beyond the limits."""


def parse(source: str) -> Value:
    """The data that `source` is the repr of. Raises ReprError."""
    if len(source) > MAX_TEXT:
        raise ReprError(f"{len(source)} characters; the limit is {MAX_TEXT}")
    reader = _Reader(source)
    value = reader.value(0)
    if reader.kind:
        raise ReprError(f"something follows the value at character {reader.start}")
    return value


def _unescape(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code is None:
        return _LETTERS.get(found[4], found[4])
    character = chr(int(code, 16))
    return "\ufffd" if "\ud800" <= character <= "\udfff" else character


def _hashable(value: Value) -> bool:
    return all(map(_hashable, value)) if isinstance(value, list) else not isinstance(value, dict)


class _Reader:
    """Tokens of the text one by one, and the values that they form."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._values = 0
        self.start = 0
        self.kind = ""
        self.token = ""
        self._next()

    def _next(self) -> None:
        found = _TOKEN.match(self._source, self._at)
        if found is None:
            if self._source[self._at :].strip():
                raise ReprError(f"nothing readable at character {self._at}")
            self.kind, self.token, self.start = "", "", len(self._source)
            return
        self.kind = found.lastgroup or ""
        self.token = found[self.kind]
        self.start, self._at = found.start(self.kind), found.end()

    def _take(self, mark: str) -> bool:
        """Whether the token is this mark; steps over it."""
        if self.kind != "mark" or self.token != mark:
            return False
        self._next()
        return True

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise ReprError(f"{mark!r} is missing at character {self.start}")

    def value(self, depth: int) -> Value:
        """The value that starts at the current token."""
        self._values += 1
        if depth > MAX_DEPTH or self._values > MAX_VALUES:
            raise ReprError(f"deeper than {MAX_DEPTH} or more than {MAX_VALUES} values")
        kind, token = self.kind, self.token
        if kind == "mark" and token in _CLOSING:
            self._next()
            return self._items(_CLOSING[token], depth)
        self._next()
        if kind == "text":
            body = token[2:-1] if token[0] == "b" else token[1:-1]
            return _ESCAPE.sub(_unescape, body) if "\\" in body else body
        if kind == "number":
            if token.lstrip("+-").isdigit():
                if len(token) > 400:
                    raise ReprError(f"a number of {len(token)} digits")
                return int(token)
            return float(token)
        if kind == "name":
            if self._take("("):
                return self._call(depth)
            if token in _WORDS:
                return _WORDS[token]
        raise ReprError(f"{token!r} is no value at character {self.start}")

    def _items(self, closing: str, depth: int) -> Value:
        """What stands between brackets: a list, or a dictionary where the first item is followed by a colon."""
        if self._take(closing):
            return {} if closing == "}" else []
        first = self.value(depth + 1)
        if closing == "}" and self._take(":"):
            table = {self._key(first): self.value(depth + 1)}
            while self._take(",") and not (self.kind == "mark" and self.token == closing):
                key = self.value(depth + 1)
                self._expect(":")
                table[self._key(key)] = self.value(depth + 1)
            self._expect(closing)
            return table
        items = [first]
        while self._take(",") and not (self.kind == "mark" and self.token == closing):
            items.append(self.value(depth + 1))
        self._expect(closing)
        return items

    def _key(self, value: Value) -> str:
        """A key as text. One that holds a dictionary is refused: Python has none, and nested ones double their text each time."""
        if not _hashable(value):
            raise ReprError(f"a dictionary in a key before character {self.start}")
        return str(value)

    def _call(self, depth: int) -> Value:
        """The first argument of a call; the others are read over."""
        if self._take(")"):
            return None
        first = self.value(depth + 1)
        while self._take(","):
            if self.kind == "name":
                self._next()  # a keyword, a bare name such as float32, or a call
                if self._take("="):
                    if self.kind != "name":
                        self.value(depth + 1)
                        continue
                    self._next()
                if self._take("("):
                    self._call(depth + 1)
            else:
                self.value(depth + 1)
        self._expect(")")
        return first
