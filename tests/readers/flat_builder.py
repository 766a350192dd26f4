"""Makes a flatbuffer of any tables from a description, with the flatbuffers package; a table object used twice is shared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, Union

import flatbuffers
import numpy as np
from flatbuffers import number_types as types

Field: TypeAlias = Union[
    "tuple[str, float]", "tuple[str, Sequence[float]]", str, bytes, "Tab", "list[Tab]", "list[str]"
]
"""("b", 3): a scalar by its struct letter; ("*i", (1, 2)): a vector; a text; bytes; a table; a vector of tables or texts."""
Tab: TypeAlias = dict[int, Field]

_FLAGS = {
    "b": types.Int8Flags, "B": types.Uint8Flags, "h": types.Int16Flags, "H": types.Uint16Flags, "i": types.Int32Flags,
    "I": types.Uint32Flags, "q": types.Int64Flags, "Q": types.Uint64Flags, "f": types.Float32Flags, "d": types.Float64Flags,
}  # fmt: skip


def flat(root: Tab, identifier: bytes | None = None) -> bytes:
    """The bytes."""
    b = flatbuffers.Builder(1024)
    b.ForceDefaults(True)
    b.Finish(_table(b, root, {}), identifier)
    return bytes(b.Output())


def _table(b: flatbuffers.Builder, table: Tab, made: dict[int, int]) -> int:
    if id(table) in made:
        return made[id(table)]
    places = {slot: _place(b, value, made) for slot, value in table.items()}
    b.StartObject(max(table, default=-1) + 1)
    for slot, value in table.items():
        place = places[slot]
        if place is not None:
            b.PrependUOffsetTRelativeSlot(slot, place, 0)
        elif isinstance(value, tuple):
            b.PrependSlot(_FLAGS[value[0]], slot, value[1], None)
    made[id(table)] = int(b.EndObject())
    return made[id(table)]


def _place(b: flatbuffers.Builder, value: Field, made: dict[int, int]) -> int | None:
    """Where something stands that a table refers to; None for what stands in the table."""
    if isinstance(value, str):
        return int(b.CreateString(value))
    if isinstance(value, bytes):
        return int(b.CreateByteVector(value))
    if isinstance(value, dict):
        return _table(b, value, made)
    if isinstance(value, list):
        places = [b.CreateString(one) if isinstance(one, str) else _table(b, one, made) for one in value]
        b.StartVector(4, len(places), 4)
        for place in reversed(places):
            b.PrependUOffsetTRelative(place)
        return int(b.EndVector())
    code, numbers = value
    if not code.startswith("*") or isinstance(numbers, (int, float)):
        return None
    return int(b.CreateNumpyVector(np.asarray(numbers, "<" + code[1:])))
