"""Whether bytes look like the head of an MNN model, which has no signature: the root table has to make sense."""

from __future__ import annotations

import struct

_OPLISTS = 3
_MAX_SLOTS = 16
"""Net has 12 fields. Source: MNN schema/default/MNN.fbs, table Net (`oplists` is field 3)."""


def looks_like_mnn(head: bytes, size: int) -> bool:
    """Whether the flatbuffer root in `head` can be MNN's Net: near the start, aligned, a small field list with oplists.

    head: the first bytes (4 KiB are enough); size: bytes of the whole file.
    """
    if len(head) < 32:
        return False
    root = int.from_bytes(head[:4], "little")
    if not 4 <= root <= 4096 or root % 4 or root + 4 > min(size, len(head)):
        return False
    vtable = root - struct.unpack_from("<i", head, root)[0]
    if vtable < 4 or vtable % 2 or vtable + 4 > len(head):
        return False
    length, inline = struct.unpack_from("<HH", head, vtable)
    slots = (length - 4) // 2
    if length % 2 or not _OPLISTS < slots <= _MAX_SLOTS or not 4 <= inline <= 256 or vtable + length > len(head):
        return False
    fields = struct.unpack_from(f"<{slots}H", head, vtable + 4)
    return fields[_OPLISTS] != 0 and all(f == 0 or 4 <= f < inline for f in fields)
