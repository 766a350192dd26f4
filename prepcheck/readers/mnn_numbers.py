"""A text file of numbers, as MNN's tools write and read them: separated by white space, read until the first word that
is none.
"""

from __future__ import annotations

import os
import re
from array import array
from dataclasses import dataclass
from itertools import islice
from typing import Final

from prepcheck.errors import TooLargeError
from prepcheck.wire.source import Source

MAX_BYTES: Final = 256 << 20
"""About 10 million numbers as numpy.savetxt writes them (25 bytes each); an image of 1920x1080x3 has 6.2 million."""
_STEP: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Numbers:
    """values: what was read. bad, bad_line: the first word that is no number, cut to 40 characters, and its line."""

    values: array[float]
    bad: str | None
    bad_line: int | None


def read_numbers(path: str | os.PathLike[str]) -> Numbers:
    """Numbers of a file, up to the first word that is none. Raises TooLargeError over MAX_BYTES."""
    values = array("d")
    with Source.open(path, max_total=MAX_BYTES) as source:
        if source.size > MAX_BYTES:
            raise TooLargeError(f"{source.name} has {source.size} bytes; a file of numbers is read up to {MAX_BYTES}.")
        rest, line = b"", 1
        for at in range(0, source.size, _STEP):
            chunk = rest + source.read(at, min(_STEP, source.size - at))
            last = at + _STEP >= source.size
            end = len(chunk) if last else 1 + max(chunk.rfind(blank) for blank in (b"\n", b" ", b"\t", b"\r"))
            ready, rest = chunk[:end], chunk[end:]
            if len(rest) > _STEP:  # one word of more than a mebibyte
                return Numbers(values, _word(rest), line)
            before = len(values)
            try:
                values.extend(map(_number, ready.split()))
            except ValueError:
                return _until_bad(values, ready, len(values) - before, line)
            line += ready.count(b"\n")
    return Numbers(values, None, None)


def _number(word: bytes) -> float:
    if b"_" in word:  # Python's float takes 1_000, C++ streams do not
        raise ValueError
    return float(word)


def _word(text: bytes) -> str:
    return text[:40].decode("utf-8", "replace")


def _until_bad(values: array[float], text: bytes, position: int, line: int) -> Numbers:
    """The result where the word number `position` of `text`, which begins in `line`, is no number."""
    found = next(islice(re.finditer(rb"\S+", text), position, None))
    return Numbers(values, _word(found[0]), line + text.count(b"\n", 0, found.start()))
