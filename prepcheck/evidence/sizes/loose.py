"""Counts that no tensor explains alone: a header in front, an encoded file, struct sizes, and any count at all."""

from __future__ import annotations

from functools import cache
from math import log
from typing import cast

from prepcheck.evidence.sizes.divisors import harmonic
from prepcheck.evidence.sizes.table import by_number, table


@cache
def _headers() -> tuple[dict[int, float], float]:
    weights = cast("dict[str, float]", table().section("header")["bytes"])
    total = sum(weights.values()) + table().number("header", "other")
    return {n: p * sum(weights.values()) / total for n, p in by_number(weights).items()}, table().number(
        "header", "other"
    ) / total


def known_header(size: int) -> bool:
    """Whether the prior lists a header of `size` bytes."""
    return size in _headers()[0]


def header_prob(size: int) -> float:
    """P(a header of `size` bytes)."""
    most = table().whole("header", "other_max")
    listed, other = _headers()
    return listed.get(size, 0.0) + (other / most if 0 < size <= most else 0.0)


def encoded_prob(size: int) -> float:
    """P(an encoded file of `size` bytes) ∝ 1/size."""
    low, high = table().whole("encoded", "min"), table().whole("encoded", "max")
    return 1 / (size * log(high / low)) if low <= size <= high else 0.0


def any_prob(size: int) -> float:
    """P(any count of bytes) ∝ 1/size; beyond the limit of the table a thousandth of that."""
    most = table().whole("none", "max")
    return (1.0 if size <= most else 1e-3) / (size * harmonic(1, most))


@cache
def struct_pairs() -> dict[tuple[int, int], float]:
    """(bytes given, bytes wanted) of structs of two header versions → P."""
    rows = table().rows("struct", "pairs")
    total = sum(row[2] for row in rows)
    return {(int(got), int(want)): weight / total for got, want, weight in rows}
