"""Weights of faults and element widths under the facts: the runtimes that are possible are summed over."""

from __future__ import annotations

from functools import cache
from typing import cast

from prepcheck.evidence.sizes.facts import Facts
from prepcheck.evidence.sizes.shapes import FOUR_AXES
from prepcheck.evidence.sizes.table import Weights, normal, table

Widths = tuple[int, int, int]
"""Bytes of an element of the model's input, of what is given, of what is counted as wanted."""

UNSEEN = 0.001
"""P(a layout that the prior table does not have for a runtime or fault): assumption."""


@cache
def share(fault: str) -> tuple[float, Weights]:
    """P(fault) and its runtimes; two faults are written `first+second`."""
    prior = table()
    if fault == "none":
        return prior.none, prior.faults[fault].runtimes
    first, _, second = fault.partition("+")
    if not second:
        return prior.singles * prior.faults[first].share, prior.faults[first].runtimes
    both = {r: p * prior.faults[second].runtimes.get(r, 0.0) for r, p in prior.faults[first].runtimes.items()}
    return prior.two * prior.pairs[first, second], normal({r: p for r, p in both.items() if p})


@cache
def allowed(first: str, second: str) -> bool:
    """Whether the prior has the two faults together."""
    return (first, second) in table().pairs


@cache
def _calls(runtime: str) -> dict[Widths, float]:
    """(model width, given width, wanted width) → P where the element type is right."""
    calls = cast("dict[str, dict[str, dict[str, float]]]", table().section("widths")["call"])[runtime]
    return {(m, int(s), int(s)): p * q for m, p in _model(runtime).items() for s, q in normal(calls[str(m)]).items()}


def _model(runtime: str) -> dict[int, float]:
    rows = cast("dict[str, dict[str, float]]", table().section("widths")["model"])[runtime]
    return {int(width): p for width, p in normal(rows).items()}


@cache
def _faulty(runtime: str) -> dict[Widths, float]:
    """(model width, given width, wanted width) → P where the element type is the fault."""
    rows = table().rows("dtype", runtime)
    total = sum(row[3] for row in rows)
    return {(int(m), int(a), int(b)): weight / total for m, a, b, weight in rows}


@cache
def _layout(runtime: str, fault: str, layout: str | None) -> float:
    """P(the layout is stated so | runtime, fault); layouts of no four-axis tensor play no part."""
    if layout not in (*FOUR_AXES, "NC1HWC2"):
        return 1.0
    layouts = table().section("layouts")
    special = next((name for name in ("nc4hw4", "nc1hwc2") if name in fault), runtime)
    return normal(cast("dict[str, float]", layouts[special])).get(layout, UNSEEN)


class WidthWeights:
    """P(fault, element widths) for the facts of one question, by layout."""

    def __init__(self, facts: Facts) -> None:
        self._runtimes = facts.runtimes()
        self._width = facts.width
        self._known: dict[tuple[str, str | None, bool], dict[Widths, float]] = {}
        self._sums: dict[tuple[str, str | None, int, int], tuple[float, int]] = {}

    def of(self, fault: str, layout: str | None, faulty: bool) -> dict[Widths, float]:
        """(model width, given width, wanted width) → weight. faulty: the element type is one of the faults."""
        key = (fault, layout, faulty)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = {}
            total, runtimes = share(fault)
            for runtime in self._runtimes:
                scale = total * runtimes.get(runtime, 0.0) * _layout(runtime, fault, layout)
                for widths, p in (_faulty(runtime) if faulty else _calls(runtime)).items():
                    if scale and self._width in (None, widths[0]):
                        found[widths] = found.get(widths, 0.0) + scale * p
        return found

    def sides(self, fault: str, layout: str | None, given: int, wanted: int) -> tuple[float, int]:
        """Weight of the widths given and wanted over all widths of the model, and the likeliest of these."""
        key = (fault, layout, given, wanted)
        found = self._sums.get(key)
        if found is None:
            every = self.of(fault, layout, given != wanted)
            models = {m: p for (m, *ends), p in every.items() if ends == [given, wanted]}
            likeliest = max(models, key=lambda m: models[m], default=given)
            found = self._sums[key] = sum(models.values()), likeliest
        return found

    def pairs(self) -> dict[tuple[int, int], list[int]]:
        """(given width, wanted width) → widths of the model, of everything that the facts leave."""
        found: dict[tuple[int, int], list[int]] = {}
        for runtime in self._runtimes:
            for model, given, wanted in (*_calls(runtime), *_faulty(runtime)):
                models = found.setdefault((given, wanted), [])
                if self._width in (None, model) and model not in models:
                    models.append(model)
        return {ends: models for ends, models in found.items() if models}

    def total(self, fault: str, layout: str | None) -> float:
        """Weight of a fault over all element widths."""
        return sum(self.of(fault, layout, False).values())

    def pixels(self, fault: str) -> float:
        """Weight of a fault of picture buffers, which are of bytes."""
        total, runtimes = share(fault)
        return total * sum(runtimes.get(r, 0.0) for r in self._runtimes) if self._width in (None, 1) else 0.0
