"""Records of calls for tests: events as dicts, and `.pcrec` files put together byte by byte (docs/pcrec.md)."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

from prepcheck.wire.pcrec import JsonValue

Event = dict[str, JsonValue]


def ev(api: str, fields: Mapping[str, JsonValue] | None = None, /, **more: JsonValue) -> Event:
    """One event; `fields` for keys that are words of Python, as "from"."""
    return {"api": api, **(fields or {}), **more}


def frame(kind: bytes, content: bytes) -> bytes:
    """Marker 8b 50 43, kind, length, CRC-32 of kind + length + content, content."""
    counted = kind + struct.pack("<I", len(content))
    return b"\x8bPC" + counted + struct.pack("<I", zlib.crc32(counted + content)) + content


def event_frame(event: Mapping[str, JsonValue]) -> bytes:
    """An event as a frame."""
    return frame(b"E", json.dumps(event).encode())


def blob_frame(number: int, data: bytes, start: int = 0, total: int | None = None) -> bytes:
    """A part of a buffer as a frame; `total` bytes in all, by default those of the part."""
    return frame(b"B", struct.pack("<IIQQ", number, 0, len(data) if total is None else total, start) + data)


def write_record(path: Path, *parts: Mapping[str, JsonValue] | bytes) -> Path:
    """A file of events and ready frames, in this order."""
    frames = (part if isinstance(part, bytes) else event_frame(part) for part in parts)
    path.write_bytes(b"PCREC 1\n" + b"".join(frames))
    return path
