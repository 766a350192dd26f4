"""Loosely typed values (of JSON, of a Python `repr`) and the questions that readers ask of them. A wrong type is None."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Value: TypeAlias = "dict[str, Value] | list[Value] | str | int | float | bool | None"


def mapping(value: Value) -> Mapping[str, Value]:
    """The dictionary, or an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: Value) -> Sequence[Value]:
    """The list, or an empty one."""
    return value if isinstance(value, list) else ()


def text(value: Value) -> str | None:
    """The string, or None. Lone surrogates, which JSON can spell and nothing can write out, become question marks."""
    if not isinstance(value, str) or value.isascii():
        return value if isinstance(value, str) else None
    return value.encode("utf-8", "replace").decode("utf-8")


def integer(value: Value) -> int | None:
    """The integer, or None. A bool is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def number(value: Value) -> float | None:
    """The number as a float, or None. A bool is none; an integer beyond the floats is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def numbers(value: Value) -> list[float] | None:
    """A list of numbers, or None where it is no list or holds anything else."""
    if not isinstance(value, list):
        return None
    found = [number(v) for v in value]
    return None if None in found else [v for v in found if v is not None]


def integers(value: Value) -> list[int] | None:
    """A list of integers, or None where it is no list or holds anything else."""
    if not isinstance(value, list):
        return None
    found = [integer(v) for v in value]
    return None if None in found else [v for v in found if v is not None]
