"""Files of any size → numbered lines of text: encodings, refusal of binary files, and the fast path for large ones."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from prepcheck.errors import EmptyFileError, NotFoundError, ReadError, WrongKindError
from prepcheck.logs.cleaning import MAX_LINE
from prepcheck.logs.patterns import table

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
    """Bytes as UTF-8; as GB18030 where they are none and that reads better. Never fails."""
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


def lines_of(stream: BinaryIO) -> Iterator[tuple[int, str, bool]]:
    """(number, line, own) of a stream in one pass, bounded memory. Raises ReadError where it cannot be read on."""
    head = stream.read(SMALL + 1)
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
    if wide or len(head) <= SMALL:
        if wide:  # a console of Windows wrote it; such files are pasted, not collected: the first part is enough
            text = head[: SMALL & ~1].decode("utf-16", "replace")
        else:
            text = decode(head)
        for number, line in enumerate(_lines(text), 1):
            yield number, line, True
        return
    yield from _gated(head, stream)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _gated(head: bytes, stream: BinaryIO) -> Iterator[tuple[int, str, bool]]:
    """Lines with a gate, and _AFTER lines behind each."""
    gates = table().gates
    number, rest, block = 1, b"", head
    owed = 0
    while block:
        cut = block.rfind(b"\n")
        if cut < 0:
            # a line longer than a block: keep its beginning only
            rest = (rest + block)[:MAX_LINE]
            block = stream.read(BLOCK)
            continue
        whole, rest, before = block[: cut + 1], block[cut + 1 :], rest
        data = before + whole if before else whole
        yield from _of_block(data, number, gates, owed)
        found = _last_gate(data, gates)
        owed = max(0, _AFTER - data.count(b"\n", found)) if found >= 0 else max(0, owed - data.count(b"\n"))
        number += data.count(b"\n")
        try:
            block = stream.read(BLOCK)
        except OSError as error:
            raise ReadError(f"the log cannot be read on: {error.strerror}") from None
    if rest:
        yield from _of_block(rest + b"\n", number, gates, owed)


def _last_gate(data: bytes, gates: tuple[bytes, ...]) -> int:
    tail = data[-4096:]
    return max((len(data) - len(tail) + at if (at := tail.rfind(g)) >= 0 else -1 for g in gates), default=-1)


def _of_block(data: bytes, number: int, gates: tuple[bytes, ...], owed: int) -> Iterator[tuple[int, str, bool]]:
    starts: set[int] = set()
    for gate in gates:
        at = data.find(gate)
        while at >= 0:
            start = data.rfind(b"\n", 0, at) + 1
            starts.add(start)
            end = data.find(b"\n", at)
            at = data.find(gate, end) if end >= 0 else -1
    own = starts.copy()
    for start in own:
        at = start
        for _ in range(_AFTER):
            end = data.find(b"\n", at)
            if end < 0 or end + 1 >= len(data):
                break
            at = end + 1
            starts.add(at)
    at = 0
    for _ in range(owed):
        starts.add(at)
        end = data.find(b"\n", at)
        if end < 0 or end + 1 >= len(data):
            break
        at = end + 1
    place = 0
    for start in sorted(starts):
        number += data.count(b"\n", place, start)
        place = start
        end = data.find(b"\n", start)
        line = data[start : min(end if end >= 0 else len(data), start + MAX_LINE)]
        yield number, decode(line).rstrip("\r"), start in own
