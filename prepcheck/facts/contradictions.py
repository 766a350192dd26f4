"""Where a plan says of the model what its file does not: what is stated twice and differs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prepcheck.core.plain import Value
from prepcheck.records import dataclass

if TYPE_CHECKING:
    from prepcheck.contract.contract import Contract, Tensor
    from prepcheck.contract.plan import Build, PlanModel

SAME = 1e-3
"""Numbers that differ by less are the same, rounded for a text. A choice."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One key with two values. where: the place it is about; certain: another model is meant, no slip of a version."""

    where: str
    key: str
    said: Value
    file: Value
    certain: bool = True


def contradictions(file: Contract, model: PlanModel, *, shapes: bool = True) -> list[Contradiction]:
    """What the plan's model (its own keys, its inputs, its build) and the file state differently.

    shapes: whether an input's shape counts; not where the program gave it another one (resizeTensor).
    """
    found = []
    for key in ("toolkit", "quantized", "batch"):
        said, own = getattr(model, key), getattr(file, key)
        if said is not None and own is not None and said != own:
            found.append(Contradiction("model", key, _plain(said), _plain(own), certain=key != "toolkit"))
    for position, own_tensor in enumerate(file.inputs):
        index = position if own_tensor.index is None else own_tensor.index
        given = next(
            (t for p, t in enumerate(model.inputs or []) if (p if t.index is None else t.index) == index), None
        )
        if given is not None:
            found += (c for c in _tensor(own_tensor, given, f"inputs[{position}]") if shapes or c.key != "shape")
        if model.build is not None:
            found += _build(own_tensor, model.build, position)
    if model.inputs and len(model.inputs) != len(file.inputs):
        found.append(Contradiction("model", "number of inputs", len(model.inputs), len(file.inputs)))
    return found


def _tensor(own: Tensor, given: Tensor, where: str) -> Iterator[Contradiction]:
    for key in ("shape", "layout", "dtype", "scale", "zero_point", "mean", "std"):
        said, file = getattr(given, key), getattr(own, key)
        if said is None or file is None:
            continue
        if key == "shape":  # an open dimension (-1, 0) takes any size
            differs = not _same(*_without_open(said, file))
        else:
            differs = not _same(said, file)
        if differs:
            yield Contradiction(where, key, _plain(said), _plain(file))


def _without_open(one: list[int], other: list[int]) -> tuple[list[int], list[int]]:
    """Both shapes without the dimensions that one of them leaves open."""
    if len(one) != len(other):
        return one, other
    kept = [(a, b) for a, b in zip(one, other, strict=True) if a > 0 and b > 0]
    return [a for a, _ in kept], [b for _, b in kept]


def _build(own: Tensor, build: Build, position: int) -> Iterator[Contradiction]:
    for key in ("mean", "std"):
        lists, file = getattr(build, key), getattr(own, key)
        said = lists[position] if lists is not None and position < len(lists) else None
        if said is not None and file is not None and not _same(said, file):
            yield Contradiction(f"inputs[{position}]", f"build.{key}", _plain(said), _plain(file))


def _same(one: object, other: object) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other) and 1 in (len(one), len(other)):  # one number stands for all channels
            one, other = one * max(1, len(other)), other * max(1, len(one))
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)) and not isinstance(one, bool):
        return abs(one - other) <= SAME * max(1e-6, abs(one), abs(other))
    return one == other


def _plain(value: object) -> Value:
    if isinstance(value, list):
        return [_plain(v) for v in value]
    return value if isinstance(value, (int, float, str)) else str(value)
