"""Writing a record of calls from Python: the same file as the C recorder makes (docs/pcrec.md)."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Final, final

from prepcheck.wire.pcrec import CHUNK, CHUNK_HEAD, HEAD, MAGIC, MARKER, JsonValue, frame_crc

BLOCK: Final = 64
INPUT_BLOCKS: Final = 128
OUTPUT_BLOCKS: Final = 16
_MASK: Final = (1 << 64) - 1
_P: Final = (
    0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5,
)  # fmt: skip


@final
class PcrecWriter:
    """Appends frames to a new file; safe from several threads. Use it in a `with`, or call `close`.

    by: who records ("prepcheck record, rknn-toolkit2 2.3.2"). Events carry a running number `n`, the time `t` in
    microseconds since the start, and the thread `th` (0, 1, … in the order of their first call), as the C recorder's do.
    """

    def __init__(self, path: str | os.PathLike[str], by: str, head: Mapping[str, JsonValue] | None = None) -> None:
        """Creates or empties the file. Raises OSError where that fails."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._fd = os.open(path, flags, 0o644)
        self._lock = threading.Lock()
        self._start = time.monotonic_ns()
        self._events = 0
        self._blobs = 0
        self._threads: dict[int, int] = {}
        os.write(self._fd, MAGIC)
        fields: dict[str, JsonValue] = {
            "format": "prepcheck/record", "version": 1, "by": by, "pid": os.getpid(), "program": os.path.basename(sys.argv[0]),
        }  # fmt: skip
        self.event("record", {**fields, **(head or {})})

    def now(self) -> int:
        """Microseconds since the record began."""
        return (time.monotonic_ns() - self._start) // 1000

    def event(self, api: str, fields: Mapping[str, JsonValue], *, at: int | None = None) -> int:
        """One call: its name and what is known of it (ret, d = microseconds it took, arguments). Returns its number.

        at: when the call began, from `now()`; without it, now.
        """
        with self._lock:
            number = self._events
            self._events += 1
            thread = self._threads.setdefault(threading.get_ident(), len(self._threads))
            head: dict[str, JsonValue] = {"n": number, "api": api, "t": self.now() if at is None else at, "th": thread}
            text = json.dumps({**head, **fields}, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
            self._frame(b"E", text.encode())
            return number

    def blob(self, data: bytes | memoryview) -> int:
        """A buffer; returns the number by which an event refers to it (`"blob": number`)."""
        view = memoryview(data).cast("B")
        with self._lock:
            self._blobs += 1
            for start in range(0, max(1, len(view)), CHUNK):
                part = view[start : start + CHUNK]
                self._frame(b"B", CHUNK_HEAD.pack(self._blobs, 0, len(view), start) + bytes(part))
            return self._blobs

    def _frame(self, kind: bytes, payload: bytes) -> None:
        """One frame by one write; a short write is continued."""
        frame = memoryview(HEAD.pack(MARKER, kind, len(payload), frame_crc(kind, payload)) + payload)
        while frame:
            frame = frame[os.write(self._fd, frame) :]

    def close(self) -> None:
        """Close the file; closing twice does nothing."""
        with self._lock:
            if self._fd >= 0:
                os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> PcrecWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def sample(data: bytes | memoryview, blocks: int = INPUT_BLOCKS) -> bytes | None:
    """The bytes that a sampled hash covers: blocks of 64 at the places of a Weyl sequence; None = short, all are covered."""
    view = memoryview(data).cast("B")
    n = len(view)
    if n <= blocks * BLOCK:
        return None
    places = [(((k * 2654435769) & 0xFFFFFFFF) * (n - BLOCK + 1) >> 32) & ~7 for k in range(blocks - 1)]
    return b"".join(view[at : at + BLOCK] for at in (*places, n - BLOCK))


def content_hash(data: bytes | memoryview, blocks: int = INPUT_BLOCKS, *, full: bool = False) -> str:
    """The text that the C recorder gives for these bytes: `f:<16 hex>` over all, `s<blocks>:<16 hex>` over samples."""
    part = None if full else sample(data, blocks)
    return f"f:{xxh64(bytes(data)):016x}" if part is None else f"s{blocks}:{xxh64(part):016x}"


def xxh64(data: bytes) -> int:
    """XXH64 with seed 0 (the published algorithm)."""
    p1, p2, p3, p4, p5 = _P
    n, at = len(data), 0
    if n >= 32:
        lanes = [(p1 + p2) & _MASK, p2, 0, -p1 & _MASK]
        words = (
            memoryview(data[: n // 32 * 32]).cast("Q") if sys.byteorder == "little" else _words(data[: n // 32 * 32])
        )
        for i in range(0, len(words), 4):
            lanes = [_lane(lane, words[i + k]) for k, lane in enumerate(lanes)]
        at = n // 32 * 32
        value = sum(_rotl(lane, r) for lane, r in zip(lanes, (1, 7, 12, 18), strict=True)) & _MASK
        for lane in lanes:
            value = ((value ^ _lane(0, lane)) * p1 + p4) & _MASK
    else:
        value = p5
    value = (value + n) & _MASK
    while n - at >= 8:
        value = (_rotl(value ^ _lane(0, int.from_bytes(data[at : at + 8], "little")), 27) * p1 + p4) & _MASK
        at += 8
    if n - at >= 4:
        value = (_rotl(value ^ (int.from_bytes(data[at : at + 4], "little") * p1 & _MASK), 23) * p2 + p3) & _MASK
        at += 4
    for byte in data[at:]:
        value = _rotl(value ^ (byte * p5 & _MASK), 11) * p1 & _MASK
    value = (value ^ (value >> 33)) * p2 & _MASK
    value = (value ^ (value >> 29)) * p3 & _MASK
    return value ^ (value >> 32)


def _words(data: bytes) -> memoryview:
    """64-bit little-endian words on a big-endian machine."""
    swapped = bytearray()
    for i in range(0, len(data), 8):
        swapped += data[i : i + 8][::-1]
    return memoryview(bytes(swapped)).cast("Q")


def _rotl(value: int, by: int) -> int:
    return ((value << by) | (value >> (64 - by))) & _MASK


def _lane(lane: int, word: int) -> int:
    return _rotl((lane + word * _P[1]) & _MASK, 31) * _P[0] & _MASK
