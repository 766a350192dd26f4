"""What is told of a row narrows the draws down: the posterior of the best possible answerer, level by level."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from tests.bench.size_optimum import RIGHT, Draw
from tests.bench.size_tables import FAMILIES, IMAGES, RUNTIMES, norm, tensors
from tests.bench.size_things import DTYPES, PRIORS, Row

# -- what is told ----------------------------------------------------------------------------------------------


@cache
def width_prob(faults: tuple[str, ...], runtime: str, widths: tuple[int, int] | None, model: int) -> float:
    """P(model width, given and wanted widths | faults, runtime); without widths that of the model alone."""
    if widths is None:
        return norm(PRIORS["widths"]["model"][runtime]).get(str(model), 0.0)
    if "dtype" in faults:
        rows = PRIORS["dtype"][runtime]
        return sum(row[3] for row in rows if row[:3] == [model, *widths]) / sum(row[3] for row in rows)
    calls = PRIORS["widths"]["call"][runtime].get(str(model), {})
    return (
        norm(PRIORS["widths"]["model"][runtime]).get(str(model), 0.0) * norm(calls).get(str(widths[0]), 0.0)
        if calls
        else 0.0
    )


@cache
def runtime_prob(faults: tuple[str, ...], runtime: str) -> float:
    if faults == ("none",):
        return norm(PRIORS["none"]["runtimes"]).get(runtime, 0.0)
    weights = [norm(PRIORS["faults"][fault]["runtimes"]) for fault in faults]
    both = {r: math.prod(w.get(r, 0.0) for w in weights) for r in RUNTIMES}
    return norm(both)[runtime]


@cache
def runtimes_prob(
    faults: tuple[str, ...], widths: tuple[int, int] | None, model: int | None, platforms: tuple[tuple[str, float], ...],
    bare: bool, dtype: str | None, runtime: str | None, platform: str | None,
) -> dict[str, float]:  # fmt: skip
    """P(runtime, and what is told of type, runtime and platform | faults, widths). bare: of a picture, whose bytes are uint8."""
    found = {}
    for each in RUNTIMES if runtime is None else (runtime,):
        p = runtime_prob(faults, each)
        if platforms:
            p *= sum(q for n, q in platforms if platform in (None, n))
        elif platform is not None and each == "rknn":
            p *= norm(PRIORS["platforms"])[platform]
        if bare:
            p *= 1.0 if dtype in (None, "uint8") else 0.0
        else:
            models = [m for m, known in DTYPES.items() if dtype in (None, known) and model in (None, m)]
            p *= sum(width_prob(faults, each, widths, m) for m in models)
        if p:
            found[each] = p
    return found


def told_prob(draw: Draw, told: Row, what: frozenset[str]) -> float:
    """P(what is told | draw), runtime and model width summed over."""
    shape = told.shape if "shape" in what else None
    layout = told.layout if "layout" in what else None
    if draw.stated is not None and (
        (shape is not None and shape != draw.stated[0]) or (layout is not None and layout != draw.stated[1])
    ):
        return 0.0
    if shape is not None and draw.bag is not None and tuple(sorted(shape[1:])) not in draw.bag.by_axes:
        return 0.0
    rest = [getattr(told, name) if name in what else None for name in ("dtype", "runtime", "platform")]
    bare = draw.stated is not None and draw.widths is None
    known = runtimes_prob(draw.faults, draw.widths, draw.model, draw.platforms, bare, *rest)
    if draw.stated is not None:
        return sum(known.values())
    special = any(fault in ("nc4hw4", "nc1hwc2") for fault in draw.faults)
    if special and known:
        return sum(known.values()) * _stated_prob(draw, next(iter(known)), shape, layout)
    return sum(p * _stated_prob(draw, runtime, shape, layout) for runtime, p in known.items())


LAYOUTS = {name: norm(weights) for name, weights in PRIORS["layouts"].items() if name != "basis"}


def _stated_prob(draw: Draw, runtime: str, shape: tuple[int, ...] | None, layout: str | None) -> float:
    """P(shape and layout are stated so)."""
    layouts = LAYOUTS[next((f for f in ("nc4hw4", "nc1hwc2") if f in draw.faults), runtime)]
    if draw.nowhere:
        return _any_tensor(runtime, shape, layout)
    bag = draw.bag
    assert bag is not None
    if shape is None:
        four = sum(p for order, p in layouts.items() if layout in (None, order))
        return bag.four * four + (bag.others if layout in (None, "UNDEFINED") else 0.0)
    total = 0.0
    for tensor, q in bag.by_axes.get(tuple(sorted(shape[1:])), ()):
        for order, p in (layouts if tensor.c else {"UNDEFINED": 1.0}).items():
            if layout in (None, order):
                total += p * q * sum(r for lead, r in draw.leads if tensor.stated(order, lead) == shape)
    return total


@cache
def _any_tensor(runtime: str, shape: tuple[int, ...] | None, layout: str | None) -> float:
    """P(a tensor drawn for itself is stated so)."""
    four = sum(FAMILIES[f] for f in (*IMAGES, "feature"))
    if shape is None:
        named = {**{n: p * four for n, p in LAYOUTS[runtime].items()}, "UNDEFINED": 1 - four}
        return sum(p for n, p in named.items() if layout in (None, n))
    total = 0.0
    for n, _, p, _ in RIGHT:
        if shape[0] != n:
            continue
        for tensor, q in tensors(math.prod(shape[1:])):
            named = LAYOUTS[runtime] if tensor.c else {"UNDEFINED": 1.0}
            total += p * q * sum(r for o, r in named.items() if layout in (None, o) and tensor.stated(o, n) == shape)
    return total


def posterior(found: list[Draw], told: Row, what: frozenset[str]) -> dict[tuple[Any, ...], float]:
    """Label → probability, for one level of knowledge."""
    if told.shape is None:
        what = what - {"shape", "layout"}
    weights: dict[tuple[Any, ...], float] = {}
    for draw in found:
        p = draw.p * told_prob(draw, told, what)
        if p > 0:
            weights[draw.label] = weights.get(draw.label, 0.0) + p
    total = sum(weights.values())
    return {label: p / total for label, p in weights.items()} if total else {}
