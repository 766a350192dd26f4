"""A log from a pipe: read once, as it comes, in any encoding, and never held whole."""

from __future__ import annotations

import io
import tracemalloc
from typing import BinaryIO, cast

import pytest

from prepcheck.errors import EmptyFileError, ReadError, WrongKindError
from prepcheck.logs.reading import read_files, read_texts
from prepcheck.logs.texts import SMALL, Fed

ERROR = "E RKNN: [10:00:00.000] rknn_inputs_set, param input size(10080) < model input size(40320)"
FILLER = "7 " * 500 + "\n"


class Pipe(io.RawIOBase):
    """Gives little at a time, cannot go back, and is as long as it is said to be."""

    def __init__(self, head: bytes, filler: bytes, repeat: int, tail: bytes, step: int = 65_521) -> None:
        self._parts = [head, *[filler] * repeat, tail]
        self._rest = b""
        self._step = step

    def read(self, count: int = -1) -> bytes:
        """At most `step` bytes."""
        while self._parts and len(self._rest) < self._step:
            self._rest += self._parts.pop(0)
        size = min(self._step, count) if count >= 0 else self._step
        found, self._rest = self._rest[:size], self._rest[size:]
        return found


def fed(data: bytes, step: int = 65_521) -> Fed:
    return Fed(cast(BinaryIO, Pipe(data, b"", 0, b"", step)), "<stdin>")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030", "utf-8-sig"])
@pytest.mark.parametrize("step", [7, 65_521])
def test_a_pipe_is_read_as_a_text(encoding: str, step: int) -> None:
    text = f"板子上的错误如下，请问怎么解决这个问题\n{ERROR}\n"
    piped = read_files([], [], [("<stdin>", fed(text.encode(encoding), step))])
    whole = read_texts([("text", text)])
    assert [(e.kind, e.line, e.fields) for e in piped.events] == [(e.kind, e.line, e.fields) for e in whole.events]
    assert [e.kind for e in piped.events] == ["in_size"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_long_pipe_takes_little_memory(encoding: str) -> None:
    mark = "" if encoding == "utf-8" else "\ufeff"
    block = (FILLER * 60).encode(encoding)
    repeat = 8 * SMALL // len(block)
    pipe = Pipe((mark + ERROR + "\n").encode(encoding), block, repeat, (ERROR + "\n").encode(encoding))
    read_texts([("text", ERROR)])
    tracemalloc.start()
    try:
        book = read_files([], [], [("<stdin>", Fed(cast(BinaryIO, pipe), "<stdin>"))])
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [(e.kind, e.line) for e in book.events] == [("in_size", 1), ("in_size", 2 + 60 * repeat)]
    assert most < 8 * SMALL, most


def test_refusals() -> None:
    with pytest.raises(EmptyFileError):
        fed(b"")
    with pytest.raises(WrongKindError):
        fed(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 64)


def test_a_broken_pipe_is_an_error_of_its_own() -> None:
    class Broken(io.RawIOBase):
        def read(self, count: int = -1) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(ReadError, match="Input/output error"):
        Fed(cast(BinaryIO, Broken()), "<stdin>")
