"""JSON of unknown origin: bounded in size and depth, without NaN, without endless integers."""

from __future__ import annotations

import json
from typing import Final, cast

from prepcheck.errors import CorruptError, TooLargeError
from prepcheck.wire.values import Value

MAX_BYTES: Final = 3 << 20
"""Largest JSON that is parsed. The JSON parts of `.rknn` files seen have 1.3 to 3 kB; 3 MiB of the most expensive JSON
(lists in lists) take about 90 MB, which keeps the whole process under 200."""
MAX_DIGITS: Final = 400


def _integer(digits: str) -> int:
    """int() takes time that grows with the square of the digits; nothing that a model states has hundreds."""
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def _constant(word: str) -> float:
    raise ValueError(f"{word} is no JSON")


def parse(data: bytes, what: str, at: int = 0) -> Value:
    """The value of a JSON text in UTF-8 (a byte order mark is allowed).

    what: the file and the part of it, for messages; at: the byte of the file where the text starts.
    Raises TooLargeError over MAX_BYTES and CorruptError where it is no JSON or nested too deeply.
    """
    if len(data) > MAX_BYTES:
        raise TooLargeError(f"{what}: the JSON at byte {at} has {len(data)} bytes; the limit is {MAX_BYTES}.")
    try:
        return cast(Value, json.loads(data.decode("utf-8-sig"), parse_int=_integer, parse_constant=_constant))
    except UnicodeDecodeError as fault:
        raise CorruptError(f"{what}: the JSON at byte {at} is not UTF-8 (byte {at + fault.start}).") from fault
    except json.JSONDecodeError as fault:
        raise CorruptError(
            f"{what}: the JSON at byte {at} does not parse: {fault.msg} (line {fault.lineno}, column {fault.colno})."
        ) from fault
    except ValueError as fault:
        raise CorruptError(f"{what}: the JSON at byte {at} does not parse: {fault}.") from fault
    except RecursionError as fault:
        raise CorruptError(f"{what}: the JSON at byte {at} is nested too deeply.") from fault


def parse_object(data: bytes, what: str, at: int = 0) -> dict[str, Value]:
    """Like `parse`, for a text that has to be an object (`{…}`)."""
    value = parse(data, what, at)
    if not isinstance(value, dict):
        raise CorruptError(f"{what}: the JSON at byte {at} is a {type(value).__name__}, an object is expected.")
    return value
