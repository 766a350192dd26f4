"""Questions that importers ask of foreign values. A wrong type is a refusal that says where, never a guess."""

from __future__ import annotations

import math

from prepcheck.importers.document import Document, Path, Plain

MAX_SIDE = 1 << 16
MAX_CHANNELS = 64
SMALLEST, LARGEST = 1e-9, 1e9
"""Numbers of preprocessing lie between 1e-5 (1/65025) and 1e5; beyond these bounds a quotient may overflow."""


def table(document: Document, value: Plain, path: Path = ()) -> dict[str, Plain]:
    """The table at a place."""
    if not isinstance(value, dict):
        document.fail(path, f"a table of keys is expected, not {kind(value)}")
    return value


def flag(document: Document, values: dict[str, Plain], key: str, path: Path = ()) -> bool | None:
    """A truth value; None where absent or null."""
    value = values.get(key)
    if value is None:
        return None
    if not isinstance(value, bool):
        document.fail((*path, key), f"true or false is expected, not {kind(value)}")
    return value


def number(document: Document, value: Plain, path: Path) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        document.fail(path, f"a number is expected, not {kind(value)}")
    if not math.isfinite(value):
        document.fail(path, f"{value} is no number that can be used")
    if abs(value) > LARGEST or 0 < abs(value) < SMALLEST:
        document.fail(path, f"{str(value)[:24]} is no number of a picture ({SMALLEST:g} to {LARGEST:g})")
    return float(value)


def side(document: Document, value: Plain, path: Path) -> int:
    """A length in pixels, 1 to 65536. A float without a fraction is taken."""
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or value != value
        or value in (math.inf, -math.inf)
    ):
        document.fail(path, f"a length in pixels is expected, not {kind(value)}")
    if int(value) != value or not 1 <= value <= MAX_SIDE:
        document.fail(path, f"{str(value)[:24]} is no length in pixels (1 to {MAX_SIDE})")
    return int(value)


def numbers(document: Document, value: Plain, path: Path) -> list[float]:
    """A list of 1 to 64 finite numbers; a bare number is a list of one."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return [number(document, value, path)]
    if not isinstance(value, list):
        document.fail(path, f"a list of numbers is expected, not {kind(value)}")
    if not 1 <= len(value) <= MAX_CHANNELS:
        document.fail(path, f"{len(value)} numbers; one for each channel is expected")
    return [number(document, item, (*path, i)) for i, item in enumerate(value)]


def divisors(document: Document, value: Plain, path: Path) -> list[float]:
    """Numbers that something is divided by: none of them 0."""
    found = numbers(document, value, path)
    if 0.0 in found:
        place = (*path, found.index(0.0)) if isinstance(value, list) else path
        document.fail(place, "0 cannot divide; 1 leaves the values as they are")
    return found


def kind(value: Plain) -> str:
    """What a value is, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (dict, list)):
        return "a table" if isinstance(value, dict) else "a list"
    return f"the text {value[:40]!r}" if isinstance(value, str) else str(value)[:40]


def unit_doubt(mean: list[float], std: list[float]) -> str | None:
    """Mean in pixels beside std below 1, or the reverse: one of the two is probably an inverse, or in another unit."""
    if max(map(abs, mean)) > 2 and max(map(abs, std)) < 1:
        return f"mean {mean} is in pixels and {std} is below 1: is it a factor (1/std) in place of a divisor?"
    if 0 < max(map(abs, mean)) <= 1 and min(map(abs, std)) > 2:
        return f"mean {mean} belongs to values 0..1 and std {std} to pixels 0..255: the two are in different units"
    return None


def clean(value: float) -> int | float:
    """An integer where the number is one: 255 for 255.0; else rounded to 12 significant digits."""
    return int(value) if value == int(value) and abs(value) < 10**15 else float(f"{value:.12g}")
