"""How many items the two counts hold: right on both sides, or one of the faults of a batch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import gcd, pi
from typing import cast

from prepcheck.evidence.sizes.shapes import Tensors
from prepcheck.evidence.sizes.table import by_number, normal, table

Items = tuple[int, int]
"""Items given, items wanted."""

RARE = 0.001
"""P(a right batch that the prior table does not list): assumption."""


@cache
def _weights(key: str) -> dict[str, float]:
    return cast("dict[str, float]", table().section("batch")[key])


@cache
def _tail() -> float:
    """P(a batch that is not drawn from the listed ones)."""
    tail = table().number("batch", "tail")
    return tail / (sum(_weights("counts").values()) + tail)


@cache
def _tail_norm() -> float:
    return pi * pi / 6 - 1 - 1 / (table().whole("batch", "tail_max") + 0.5)  # Σ 1/n² from 2 on, right to 1e-11


@cache
def _listed(least: int = 2) -> dict[int, float]:
    """Listed batches of at least `least` items → P among them."""
    return normal({n: p for n, p in by_number(_weights("counts")).items() if n >= least})


def _prob(n: int) -> float:
    """P(a batch of n | the batch is wrong)."""
    free = _tail() / (n * n * _tail_norm()) if 2 <= n <= table().whole("batch", "tail_max") else 0.0
    return (1 - _tail()) * _listed().get(n, 0.0) + free


@cache
def _forms() -> dict[str, float]:
    return normal(_weights("form"))


@cache
def _simple_forms() -> dict[str, float]:
    return normal({form: p for form, p in _forms().items() if form != "some"})


def reduced(items: Items) -> Items:
    """The ratio of the two, in lowest terms."""
    common = gcd(*items)
    return items[0] // common, items[1] // common


def right_batches(group: Tensors) -> list[tuple[int, float]]:
    """(items on both sides, P) where the batch is right; a stated leading axis settles it."""
    base = by_number(_weights("base"))
    if group.lead is None:
        return list(base.items())
    return [(group.lead, base.get(group.lead, RARE))]


def _stated(group: Tensors, lead: int) -> float:
    """P(the leading axis is stated as it was | the batch is `lead`): some state the shape of one item."""
    if group.lead is None:
        return 1.0
    share = normal(_weights("stated"))
    return (share["one"] if group.lead == 1 else 0.0) + (share["all"] if group.lead == lead else 0.0)


def wrong_batches(group: Tensors, given: int, wanted: int, alone: bool) -> Iterator[tuple[Items, float]]:
    """The batches under which given and wanted are so many equal items: one for many, many for one, some of many.

    alone: the batch is the only fault (with a wrong element type nobody gives some of many).
    """
    forms = _forms() if alone else _simple_forms()
    few, many = reduced((given, wanted))
    if few == 1 and many > 1:
        yield (1, many), forms["one"] * _prob(many) * _stated(group, many)
    if many == 1 and few > 1 and group.lead in (None, 1):
        yield (few, 1), forms["reverse"] * _prob(few)
    if few < many and alone:
        for n, share in _listed(3).items():
            k, rest = divmod(n * few, many)
            if not rest and 1 < k < n and not given % k:
                yield (k, n), forms["some"] * share / (n - 2) * _stated(group, n)


def listed_batches(group: Tensors) -> Iterator[tuple[Items, float]]:
    """The listed batches, where another fault comes with the wrong one."""
    forms = _simple_forms()
    for n, share in _listed().items():
        yield (1, n), forms["one"] * share * _stated(group, n)
        if group.lead in (None, 1):
            yield (n, 1), forms["reverse"] * share
