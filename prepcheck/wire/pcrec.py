"""The record of calls (`.pcrec`, version 1): frames in and out. The format is described in docs/pcrec.md.

A file is the line `PCREC 1` and then frames: marker 8b 50 43, kind, length, CRC-32, content. `E` is one event (a JSON
object with `api`), `B` a part of a buffer. Frames are only ever appended, each by one write, so a record that ends in
the middle of a frame is whole up to there; a damaged frame is named and skipped.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from prepcheck.errors import EmptyFileError, UnsupportedVersionError, WrongKindError
from prepcheck.wire.source import Source

MAGIC: Final = b"PCREC 1\n"
MARKER: Final = b"\x8bPC"
HEAD: Final = struct.Struct("<3scII")
CHUNK_HEAD: Final = struct.Struct("<IIQQ")
CHUNK: Final = 1 << 20
MAX_EVENT: Final = 1 << 20
"""Most bytes of an event; the C recorder writes at most 16,000."""
MAX_FRAME: Final = CHUNK + CHUNK_HEAD.size
MAX_READ_TOTAL: Final = 1 << 30
"""Most bytes read to go through one record; the content of buffers is not read for that."""
_SCAN: Final = 1 << 16

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


@dataclass(frozen=True, slots=True)
class Event:
    """One call, at byte `offset` of the file. data: the JSON object; `api` is in it."""

    offset: int
    data: Mapping[str, JsonValue]

    @property
    def api(self) -> str:
        """Name of the function."""
        return str(self.data["api"])


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes `start` … `start + size` of buffer `blob`, which has `total` in all; they stand at byte `offset`."""

    offset: int
    blob: int
    total: int
    start: int
    size: int
    crc: int


@dataclass(frozen=True, slots=True)
class Damage:
    """`size` bytes at `offset` that are no whole frame. kind: cut (the end is missing), crc, garbage, event."""

    offset: int
    size: int
    kind: Literal["cut", "crc", "garbage", "event"]
    message: str


Item = Event | Chunk | Damage


def open_record(path: str | os.PathLike[str]) -> Source:
    """A Source that may be read far enough for a long record. Raises NotFoundError, WrongKindError."""
    return Source.open(path, max_total=MAX_READ_TOTAL)


def check_magic(source: Source) -> None:
    """Raises EmptyFileError, WrongKindError or UnsupportedVersionError where this is no record of version 1."""
    head = source.head(len(MAGIC))
    if not head:
        raise EmptyFileError(f"{source.name} has no bytes: the program ended before the recorder wrote anything.")
    if head != MAGIC[: len(head)]:
        if head[:6] == MAGIC[:6]:
            raise UnsupportedVersionError(f"{source.name} is a record of version {head[6:7]!r}; version 1 is known.")
        raise WrongKindError(f"{source.name} is no record: it starts with {head!r}, not {MAGIC!r}.", kind="unknown")


def read_items(source: Source) -> Iterator[Item]:
    """Everything in the order of the file. Raises the errors of `check_magic`, and TooLargeError over the read budget."""
    check_magic(source)
    at = len(MAGIC)
    while at < source.size:
        item, following = _item_at(source, at)
        if item is None:
            found = _next_frame(source, at + 1)
            if found is None:
                yield _cut(source, at)
                return
            yield Damage(at, found - at, "garbage", f"{found - at} bytes at byte {at} are no frame; skipped")
            at = found
        else:
            yield item
            at = following


def read_events(source: Source) -> Iterator[Event]:
    """The events alone; what is damaged or cut is left out (`read_items` names it)."""
    return (item for item in read_items(source) if isinstance(item, Event))


def chunk_bytes(source: Source, chunk: Chunk) -> bytes | None:
    """The content of a chunk, or None where its CRC says that it is damaged."""
    payload = source.read(chunk.offset, CHUNK_HEAD.size + chunk.size)
    return payload[CHUNK_HEAD.size :] if frame_crc(b"B", payload) == chunk.crc else None


def frame_crc(kind: bytes, payload: bytes) -> int:
    """CRC-32 (zlib) over kind, length and content of a frame."""
    return zlib.crc32(payload, zlib.crc32(kind + struct.pack("<I", len(payload))))


def _cut(source: Source, at: int) -> Damage:
    rest = source.size - at
    return Damage(
        at, rest, "cut", f"the record ends inside a frame: its last {rest} bytes, from byte {at} on, are lost"
    )


def _head_at(source: Source, at: int) -> tuple[bytes, int, int] | None:
    """kind, length, CRC of a frame head that could be one and whose frame is inside the file; None otherwise."""
    if at + HEAD.size > source.size:
        return None
    marker, kind, length, crc = HEAD.unpack(source.read(at, HEAD.size))
    most = {b"E": MAX_EVENT, b"B": MAX_FRAME}.get(kind, -1)
    if marker != MARKER or length > most or at + HEAD.size + length > source.size:
        return None
    return kind, length, crc


def _marker_at(source: Source, at: int) -> bool:
    """Whether a frame begins at `at`, as far as the file goes."""
    found = source.read(at, min(len(MARKER), source.size - at))
    return MARKER.startswith(found)


def _item_at(source: Source, at: int) -> tuple[Item | None, int]:
    """The frame at `at` and where the next one starts; None where no frame is there."""
    head = _head_at(source, at)
    if head is None:
        return None, at
    kind, length, crc = head
    following = at + HEAD.size + length
    if kind == b"B":  # its content is read only where no frame follows: then its CRC has to vouch for its length
        if length < CHUNK_HEAD.size:
            return None, at
        if not _marker_at(source, following) and frame_crc(kind, source.read(at + HEAD.size, length)) != crc:
            return None, at
        blob, _, total, start = CHUNK_HEAD.unpack(source.read(at + HEAD.size, CHUNK_HEAD.size))
        return Chunk(at + HEAD.size, blob, total, start, length - CHUNK_HEAD.size, crc), following
    payload = source.read(at + HEAD.size, length)
    if frame_crc(kind, payload) != crc:
        if following < source.size and _head_at(source, following) is None:
            return None, at
        text = f"the event of {length} bytes at byte {at} is damaged (CRC {frame_crc(kind, payload):08x}, written {crc:08x})"
        return Damage(at, HEAD.size + length, "crc", text), following
    data = _json_object(payload)
    if data is None:
        return Damage(
            at, HEAD.size + length, "event", f"the event at byte {at} is no JSON object with `api`"
        ), following
    return Event(at, data), following


def _json_object(payload: bytes) -> dict[str, JsonValue] | None:
    try:
        value = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("api"), str) else None


def _next_frame(source: Source, at: int) -> int | None:
    """The next place from `at` on where a whole frame with a right CRC stands."""
    while at + HEAD.size <= source.size:
        part = source.read(at, min(_SCAN, source.size - at))
        hit = part.find(MARKER)
        if hit < 0:
            at += max(1, len(part) - len(MARKER) + 1)
            continue
        head = _head_at(source, at + hit)
        if head is not None and frame_crc(head[0], source.read(at + hit + HEAD.size, head[1])) == head[2]:
            return at + hit
        at += hit + 1
    return None
