"""The values that findings, notes and evidence carry: what JSON can hold."""

from __future__ import annotations

from collections.abc import Mapping

Value = None | bool | int | float | str | list["Value"] | tuple["Value", ...] | Mapping[str, "Value"]


def to_value(given: object) -> Value:
    """A value of any origin as one that JSON can hold: mappings, sequences and numbers as they are, the rest as text."""
    if given is None or isinstance(given, (bool, int, float, str)):
        return given
    if isinstance(given, Mapping):
        return {str(key): to_value(item) for key, item in given.items()}
    if isinstance(given, (list, tuple)):
        return [to_value(item) for item in given]
    return str(given)
