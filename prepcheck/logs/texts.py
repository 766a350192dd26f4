"""Files of any size → numbered lines of text: encodings, refusal of binary files, and the fast path for large ones."""

from __future__ import annotations

import codecs
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from prepcheck.errors import EmptyFileError, NotFoundError, ReadError, WrongKindError
from prepcheck.logs.cleaning import MAX_LINE
from prepcheck.logs.patterns import rarest, table

SMALL = 2 << 20
"""Bytes up to which every line is read; in a larger text only lines with a word that some pattern knows, and what follows."""
BLOCK = 1 << 20
_AFTER = 3
"""Lines read after one that a gate lets through: a wrapped line goes on there."""
_SAMPLE = 1 << 16
_MAX_GARBAGE = 0.05
"""Share of control bytes and broken characters up to which a sample is text (serial consoles drop bytes)."""


def open_text(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file of text. Raises NotFoundError, EmptyFileError, WrongKindError (no text; `kind` names what it is)."""
    try:
        if Path(path).is_dir():
            raise NotFoundError(f"{os.fspath(path)}: is a folder; give a log file")
        stream = open(path, "rb")  # noqa: SIM115 - the caller closes it
    except FileNotFoundError:
        raise NotFoundError(f"{os.fspath(path)}: no such file") from None
    except OSError as error:
        raise ReadError(f"{os.fspath(path)}: {error.strerror or 'cannot be opened'}") from None
    try:
        sample = stream.read(_SAMPLE)
        refuse_binary(sample, os.fspath(path))
        stream.seek(0)
    except BaseException as error:
        stream.close()
        if isinstance(error, OSError):
            raise ReadError(f"{os.fspath(path)}: {error.strerror or 'cannot be read'}") from None
        raise
    return stream


class Fed:
    """A stream that cannot go back (a pipe), its first bytes looked at. `sample`: they. `read` fills what is asked for."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        """Raises EmptyFileError, WrongKindError or ReadError."""
        self._stream = stream
        self._name = name
        self.sample = self._filled(_SAMPLE)
        refuse_binary(self.sample, name)
        self._head = self.sample

    def read(self, count: int) -> bytes:
        """Count bytes, fewer only at the end."""
        found, self._head = self._head[:count], self._head[count:]
        return found + self._filled(count - len(found)) if len(found) < count else found

    def _filled(self, count: int) -> bytes:
        found = bytearray()
        try:
            while len(found) < count and (more := self._stream.read(count - len(found))):
                found += more
        except OSError as error:
            raise ReadError(f"{self._name}: {error.strerror or 'cannot be read'}") from None
        return bytes(found)


def refuse_binary(sample: bytes, name: str) -> None:
    """Raise EmptyFileError or WrongKindError where the beginning of a file is no text."""
    if not sample:
        raise EmptyFileError(f"{name}: the file is empty; nothing to explain")
    if sample[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return
    controls = sum(sample.count(bytes([c])) for c in (*range(8), 11, 14, 15, *range(16, 27), *range(28, 32), 127))
    broken = decode(sample).count("\ufffd")
    share = (controls + broken) / len(sample)
    if share > _MAX_GARBAGE or (controls > 4 and sample.count(b"\n") * 400 < len(sample) and share > 0.01):
        from prepcheck.readers.sniff import sniff_head

        kind = sniff_head(sample, len(sample))
        named = f" ({kind})" if kind != "unknown" else ""
        raise WrongKindError(
            f"{name}: no text{named}: {share:.0%} of the first {len(sample)} bytes are control characters or broken "
            "ones; give a log, a thread or an error line",
            kind=kind,
        )


def decode(data: bytes) -> str:
    """Bytes as UTF-8; as UTF-16 behind its mark; as GB18030 where they are none and that reads better. Never fails."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    plain = data.decode("utf-8", "replace")
    if plain.count("\ufffd") > max(2, len(plain) // 200):
        other = data.decode("gb18030", "replace")
        if other.count("\ufffd") * 4 < plain.count("\ufffd"):
            return other
    return plain


def lines_of_text(text: str) -> Iterator[tuple[int, str, bool]]:
    """(number, line, own) of a text; own is False for lines that are read only because of the one before them."""
    if len(text) <= SMALL:
        for number, line in enumerate(text.splitlines() if "\x0b" not in text else text.split("\n"), 1):
            yield number, line, True
    else:
        yield from lines_of(io.BytesIO(text.encode("utf-8", "replace")))


def lines_of(stream: BinaryIO | Fed) -> Iterator[tuple[int, str, bool]]:
    """(number, line, own) of a stream in one pass, bounded memory. Raises ReadError where it cannot be read on."""
    head = stream.read(SMALL + 1)
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        stream = cast(BinaryIO, _Narrow(head, cast(BinaryIO, stream)))
        head = stream.read(SMALL + 1)
    if len(head) <= SMALL:
        for number, line in enumerate(_lines(decode(head)), 1):
            yield number, line, True
        return
    yield from _gated(head, cast(BinaryIO, stream))


class _Narrow:
    """A stream of UTF-16 (a console of Windows writes it) read as UTF-8, block by block. `read` may give fewer bytes."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-16")("replace")
        self._stream = stream
        self._rest = self._turned(head)
        self._ended = False

    def _turned(self, data: bytes) -> bytes:
        return self._decoder.decode(data, not data).encode("utf-8", "replace")

    def read(self, count: int) -> bytes:
        """Up to count bytes; none at the end."""
        while len(self._rest) < count and not self._ended:
            data = self._stream.read(count)
            self._ended = not data
            self._rest += self._turned(data)
        found, self._rest = self._rest[:count], self._rest[count:]
        return found


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _gated(head: bytes, stream: BinaryIO) -> Iterator[tuple[int, str, bool]]:
    """Lines with a gate, and _AFTER lines behind each."""
    gate = Gate(table().gates)
    number, rest, block, owed = 1, b"", head, 0
    while block:
        cut = block.rfind(b"\n")
        if cut < 0:
            # a line longer than a block: keep its beginning only
            rest = (rest + block)[:MAX_LINE]
        else:
            data, rest = rest + block[: cut + 1], block[cut + 1 :]
            found = _Found(data, gate, owed)
            yield from found.lines(number)
            number += data.count(b"\n")
            owed = found.owed
        try:
            block = stream.read(BLOCK)
        except OSError as error:
            raise ReadError(f"the log cannot be read on: {error.strerror}") from None
    if rest:
        yield from _Found(rest + b"\n", gate, owed).lines(number)


class _Found:
    """The lines of a block that are read. owed: how many lines of the next block still belong to the last gate."""

    def __init__(self, data: bytes, gate: Gate, owed: int) -> None:
        self.data = data
        self.own = gate.starts(data.lower())
        self.owed = 0
        starts = set(self.own)
        at: int | None = 0
        for _ in range(owed):
            if at is None:
                break
            starts.add(at)
            at = self._next(at)
        for start in self.own:
            at = start
            for n in range(_AFTER):
                at = self._next(at)
                if at is None:
                    self.owed = max(self.owed, _AFTER - n)
                    break
                starts.add(at)
        self.starts = sorted(starts)

    def _next(self, start: int) -> int | None:
        end = self.data.find(b"\n", start)
        return end + 1 if 0 <= end < len(self.data) - 1 else None

    def lines(self, number: int) -> Iterator[tuple[int, str, bool]]:
        """(number, line, own), the first line of the block having the given number."""
        place = 0
        for start in self.starts:
            number += self.data.count(b"\n", place, start)
            place = start
            end = self.data.find(b"\n", start)
            line = self.data[start : min(end if end >= 0 else len(self.data), start + MAX_LINE)]
            yield number, decode(line).rstrip("\r"), start in self.own


class Gate:
    """Finds the lines of a block that hold one of many words, far faster than looking for each word.

    Every word is represented by four of its bytes; one pass of numpy finds where such four bytes may stand (a hashed
    table), and only there the words are looked for. Words and data are in small letters.
    """

    BITS = 18
    FACTOR = 2654435761  # Knuth's multiplicative hash, 2^32 / golden ratio

    def __init__(self, words: tuple[bytes, ...]) -> None:
        import numpy as np

        self.words: dict[bytes, list[tuple[bytes, int]]] = {}
        for word in words:
            four = rarest(word.decode("latin-1")).encode("latin-1")
            self.words.setdefault(four, []).append((word, word.index(four)))
        self.table = np.zeros(1 << self.BITS, dtype=np.bool_)
        for four in self.words:
            key = int.from_bytes(four, "little")
            self.table[((key * self.FACTOR) & 0xFFFFFFFF) >> (32 - self.BITS)] = True

    def starts(self, data: bytes) -> set[int]:
        """Where the lines with a word begin."""
        import numpy as np

        found: set[int] = set()
        for shift in range(4):
            count = (len(data) - shift) // 4
            if count <= 0:
                continue
            fours = np.frombuffer(data, dtype="<u4", count=count, offset=shift)
            hashed = (fours * np.uint32(self.FACTOR)) >> np.uint32(32 - self.BITS)
            for at in (np.flatnonzero(self.table.take(hashed, mode="clip")) * 4 + shift).tolist():
                for word, place in self.words.get(data[at : at + 4], ()):
                    if at >= place and data.startswith(word, at - place):
                        found.add(data.rfind(b"\n", 0, at) + 1)
                        break
        return found
