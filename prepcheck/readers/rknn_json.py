"""The JSON part that RKNN1 and RKNN2 share in form: which tensor is input or output number k, its name and dims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from prepcheck.errors import CorruptError
from prepcheck.records import dataclass
from prepcheck.wire.values import Value, integer, integers, mapping, sequence, text

MAX_TENSORS: Final = 2048
"""Inputs and outputs that are read. Models have one to a few dozen; language models with caches, hundreds."""
MAX_RANK: Final = 16
MAX_ELEMENTS: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class JsonTensor:
    """One entry of norm_tensor: its name (None where the file has none), `size` as it stands, and its `dtype` table."""

    name: str | None
    size: tuple[int, ...]
    dtype: Mapping[str, Value]


def check_dims(where: str, dims: tuple[int, ...]) -> tuple[int, ...]:
    """The dims, if they can be a tensor's: at most 16, each positive, at most 2^40 elements. Else CorruptError."""
    elements = 1
    for d in dims:
        elements *= max(d, 0)
        if d < 1 or elements > MAX_ELEMENTS:
            raise CorruptError(
                f"{where} has the shape {list(dims)[:MAX_RANK]}; axes are at least 1, elements at most 2^40."
            )
    if len(dims) > MAX_RANK:
        raise CorruptError(f"{where} has {len(dims)} axes; at most {MAX_RANK} are read.")
    return dims


def graph_tensors(table: Mapping[str, Value], side: Literal["input", "output"], name: str) -> list[JsonTensor]:
    """Inputs or outputs in the runtime's order (`left_tensor_id`). Raises CorruptError where the lists do not fit."""
    known: dict[int, Mapping[str, Value]] = {}
    for entry in sequence(table.get("norm_tensor")):
        number = integer(mapping(entry).get("tensor_id"))
        if number is not None:
            known[number] = mapping(entry)
    order: dict[int, int] = {}
    for entry in sequence(table.get("graph")):
        row = mapping(entry)
        index, tensor = integer(row.get("left_tensor_id")), integer(row.get("right_tensor_id"))
        if row.get("left") == side and row.get("right", "norm_tensor") == "norm_tensor":
            if index is None or tensor is None:
                raise CorruptError(f"{name}: an entry of `graph` in the JSON part has no tensor number.")
            order[index] = tensor
    if len(order) > MAX_TENSORS:
        raise CorruptError(f"{name}: the JSON part names {len(order)} {side}s; at most {MAX_TENSORS} are read.")
    found = []
    for index in sorted(order):
        if order[index] not in known:
            raise CorruptError(
                f"{name}: {side} {index} is tensor {order[index]}, which `norm_tensor` in the JSON part lacks."
            )
        row = known[order[index]]
        size = integers(row.get("size"))
        where = f"{name}: {side} {index} in the JSON part"
        if size is None:
            raise CorruptError(f"{where} has no list of integers `size`.")
        found.append(JsonTensor(text(row.get("url")), check_dims(where, tuple(size)), mapping(row.get("dtype"))))
    return found


def target_platforms(table: Mapping[str, Value]) -> list[str]:
    """`target_platform` in lower case; empty where the file names none."""
    found = table.get("target_platform")
    names = [found] if isinstance(found, str) else [t for t in map(text, sequence(found)) if t]
    return [n.lower() for n in names if n]
