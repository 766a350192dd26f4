"""The best possible answer: for one pair, every draw of `size_rows` that gives it, by brute force, with its probability.

Written apart from the product: no code of it is used, only the prior file. Where the product divides and reduces
ratios, this goes through all parameters, makes the other count forwards, and compares.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tests.bench.size_pictures import decoder_frames, frames, picture_share, picture_sizes
from tests.bench.size_tables import (
    BATCH,
    COUNTS,
    HALVES,
    IMAGES,
    NONE_SUM,
    RECTS,
    RUNTIMES,
    SQUARES,
    TAIL,
    TAIL_SUM,
    Bag,
    every,
    h_sum,
    images,
    norm,
    share_where,
    tensors,
)
from tests.bench.size_things import ALIASES, C2, PRIORS, ROWS, Tensor, pitch_of


@dataclass(frozen=True)
class Draw:
    """One way in which the pair can be drawn. leads: leading axis stated → P. platforms: → P, where they matter."""

    label: tuple[Any, ...]
    faults: tuple[str, ...]
    p: float
    widths: tuple[int, int] | None  # given, wanted; None = bytes, of a picture
    bag: Bag | None = None
    leads: tuple[tuple[int, float], ...] = ((1, 1.0),)
    model: int | None = None
    platforms: tuple[tuple[str, float], ...] = ()
    stated: tuple[tuple[int, ...], str] | None = None  # shape and layout, where they are fixed
    nowhere: bool = False  # the tensor stated has nothing to do with the counts


@cache
def triples(faulty: bool) -> list[tuple[int, int]]:
    if faulty:
        return sorted({(row[1], row[2]) for r in RUNTIMES for row in PRIORS["dtype"][r]})
    return [(s, s) for s in (1, 2, 4, 8)]


@cache
def fault_prob(*faults: str) -> float:
    shares = PRIORS["shares"]
    if faults == ("none",):
        return float(shares["none"])
    if len(faults) == 1:
        return (1 - shares["two_faults"] - shares["none"]) * COUNTS[faults[0]] / sum(COUNTS.values())
    weights = {tuple(pair): COUNTS[pair[0]] * COUNTS[pair[1]] for pair in PRIORS["pairs"]}
    return float(shares["two_faults"] * weights[faults] / sum(weights.values()))


@cache
def name(*faults: str) -> str:
    return "+".join(ALIASES.get(fault, fault) for fault in faults)


def batches(form: str, tail: bool) -> list[tuple[int, int, float, tuple[tuple[int, float], ...]]]:
    """(items given, wanted, P, leads) of one form of batch."""
    stated = norm(PRIORS["batch"]["stated"])
    found = []
    listed = norm(BATCH)
    if form == "some":
        listed = norm({n: w for n, w in BATCH.items() if n >= 3})
        for n, p in listed.items():
            for k in range(2, n):
                found.append((k, n, p / (n - 2), ((1, stated["one"]), (n, stated["all"]))))
        return found
    numbers = range(2, PRIORS["batch"]["tail_max"] + 1) if tail else sorted(BATCH)
    for n in numbers:
        p = (1 - TAIL) * listed.get(n, 0.0) + TAIL / n**2 / TAIL_SUM if tail else listed[n]
        if form == "one":
            found.append((1, n, p, ((1, stated["one"]), (n, stated["all"]))))
        else:
            found.append((n, 1, p, ((1, 1.0),)))
    return found


ALONE = [
    (k, n, norm(PRIORS["batch"]["form"])[f] * p, leads)
    for f in ("one", "some", "reverse")
    for k, n, p, leads in batches(f, True)
]
_SIMPLE = norm({f: PRIORS["batch"]["form"][f] for f in ("one", "reverse")})
BESIDE_TYPE = [(k, n, _SIMPLE[f] * p, leads) for f in _SIMPLE for k, n, p, leads in batches(f, True)]
BESIDE = [(k, n, _SIMPLE[f] * p, leads) for f in _SIMPLE for k, n, p, leads in batches(f, False)]
RIGHT = [(int(n), int(n), p, ((int(n), 1.0),)) for n, p in norm(PRIORS["batch"]["base"]).items()]
ONE = [(1, 1, 1.0, ((1, 1.0),))]


def _sets() -> list[tuple[tuple[str, ...], bool, list[Any]]]:
    """(faults, whether the element type is one, batches) of all draws of tensors but a batch alone or with the type."""
    others = ("dtype", "batch", "pitch", "height_align", "yuv_planes", "struct")
    sets: list[tuple[tuple[str, ...], bool, list[Any]]] = [
        ((fault,), False, RIGHT) for fault in COUNTS if fault not in others
    ]
    sets.append((("dtype",), True, RIGHT))
    for first, second in PRIORS["pairs"]:
        if first != "pitch" and second != "batch":
            sets.append(((first, second), first == "dtype", BESIDE if first == "batch" else ONE))
    return sets


SETS = _sets()
_ENDS = {id(items): np.array([[k, n] for k, n, _, _ in items], dtype=object) for items in (ALONE, BESIDE_TYPE)}


def _batch_draws(got: int, want: int) -> Iterator[Draw]:
    """Draws in which all elements are right and the number of items is not."""
    for faults, faulty, items in ((("batch",), False, ALONE), (("dtype", "batch"), True, BESIDE_TYPE)):
        ends = _ENDS[id(items)].astype(np.float64)
        for a, b in triples(faulty):
            near = np.abs(got * b * ends[:, 1] - want * a * ends[:, 0]) <= 1e-9 * want * a * ends[:, 0]
            for at in np.flatnonzero(near):
                k, n, p, leads = items[int(at)]
                if got * n * b == want * k * a and want % (n * b) == 0:
                    common = math.gcd(k, n)
                    key = (*((a, b) if faulty else ()), k // common, n // common)
                    yield Draw(
                        (name(*faults), *key), faults, p * fault_prob(*faults), (a, b), every(want // (n * b)), leads
                    )


def draws(got: int, want: int) -> list[Draw]:
    """Every way to draw the pair."""
    found = list(_batch_draws(got, want))
    for faults, faulty, items in SETS:
        rest = "+".join(fault for fault in faults if fault not in ("dtype", "batch"))
        for a, b in triples(faulty):
            for k, n, p, leads in items:
                if want % (n * b) or (rest not in ("header", "encoded", "dtype+header") and got % (k * a)):
                    continue
                prefix: tuple[Any, ...] = (a, b) if faulty else ()
                if "batch" in faults:
                    common = math.gcd(k, n)
                    prefix += (k // common, n // common)
                whole = p * fault_prob(*faults)
                for key, q, bag, model, platforms in explain(rest, got, k * a, want // (n * b), a):
                    if len(faults) > 1 and rest == "frame" and len(key) == 1:
                        continue  # beside another fault frames have one of the usual sizes
                    label = (name(*faults), *prefix, *key)
                    fixed = ((), "") if bag is None else None
                    found.append(Draw(label, faults, whole * q, (a, b), bag, leads, model, platforms, fixed))
    found += pictures(got, want)
    found += loose(got, want)
    return found


Found = tuple[tuple[Any, ...], float, Bag | None, int | None, tuple[tuple[str, float], ...]]


def explain(fault: str, got: int, unit: int, wanted: int, width: int) -> Iterator[Found]:
    """(key, P, tensor, model width, platforms) of the draws of one fault; got = unit × elements given (+ a header)."""
    if fault == "header":
        part = PRIORS["header"]
        size = got - unit * wanted
        total = sum(part["bytes"].values()) + part["other"]
        p = part["bytes"].get(str(size), 0) / total + (
            part["other"] / total / part["other_max"] if 0 < size <= part["other_max"] else 0
        )
        if p:
            yield (size if str(size) in part["bytes"] else "other",), p, every(wanted), None, ()
        return
    if fault == "encoded":
        low, high = PRIORS["encoded"]["min"], PRIORS["encoded"]["max"]
        if low <= got <= high:
            yield (), 1 / got / math.log(high / low), every(wanted), None, ()
        return
    given = got // unit
    if fault == "":
        if given == wanted:
            yield (), 1.0, every(wanted), None, ()
        return
    if given != wanted:
        yield from _unequal(fault, given, wanted, width)


def _unequal(fault: str, given: int, wanted: int, width: int) -> Iterator[Found]:
    if fault in ("nc4hw4", "nc1hwc2", "row_stride"):
        ways = {w: PRIORS[fault][w] / (PRIORS[fault]["pack"] + PRIORS[fault]["unpack"]) for w in ("pack", "unpack")}
        for way, plain, padded in (("pack", given, wanted), ("unpack", wanted, given)):
            if plain < padded <= 16 * plain:
                for key, p, tensor, model, platforms in _padded(fault, plain, padded):
                    yield (way, *key), ways[way], Bag([(tensor, p)]), model, platforms
    elif fault == "map_size":
        yield from _maps(given, wanted)
    elif fault == "axis_short":
        if given <= 2 * wanted:
            yield (), 1.0, Bag(_axes(given, wanted)), None, ()
    elif fault == "frame":
        for key, p in frames(given, width):
            yield key, p, images(wanted), None, ()
    elif fault == "frame+height_align":
        for key, p in decoder_frames(given, width):
            yield key, p, images(wanted), None, ()
    elif fault == "channels":
        for c, pairs in CHANNEL_PAIRS.items():
            for count, share in pairs.items():
                if given * c == wanted * count:
                    yield (count, c), share, images(wanted, c), None, ()
    elif fault == "yuv_tensor":
        for half, p in norm(PRIORS[fault]).items():
            if width == 1 and 6 * given == int(half) * wanted:
                yield (int(half), 6), p, images(wanted, 3, True), None, ()
    else:
        yield from _resized(fault, given, wanted)


def _axes(given: int, wanted: int) -> list[tuple[Tensor, float]]:
    """Tensors one of whose axes may have another length, with the probability of just this length."""
    scale = share_where((*IMAGES, "feature", "sequence"), "all")
    found = []
    for tensor, q in tensors(wanted):
        for at, share in (
            ((0, 0.5), (1, 0.5)) if tensor.c else ((0, 0.8), (1, 0.2)) if tensor.family == "sequence" else ()
        ):
            length = tensor.axes[at]
            rest = wanted // length
            if given % rest == 0 and 1 <= given // rest <= 2 * length:
                found.append((tensor, q * share / (2 * length - 1) / scale))
    return found


CHANNEL_PAIRS = {int(c): norm(dict(map(tuple, rows))) for c, rows in PRIORS["channels"].items() if c != "basis"}


def _resized(fault: str, given: int, wanted: int) -> Iterator[Found]:
    for c, pairs in CHANNEL_PAIRS.items():
        for count, share in ({c: 1.0} if fault == "other_size" else pairs).items():
            sizes = _other_sizes(given // count) if given % count == 0 and wanted % c == 0 else {}
            if not sizes:
                continue
            found = []
            for tensor, q in tensors(wanted):
                if tensor.c == c and tensor.family in IMAGES:
                    p = sum(r for size, r in sizes.items() if size != (tensor.h, tensor.w))
                    found.append((tensor, p * q / share_where(IMAGES, "all")))
            yield () if fault == "other_size" else (count, c), share, Bag(found), None, ()


Padded = tuple[tuple[Any, ...], float, Tensor, int | None, tuple[tuple[str, float], ...]]


@cache
def _steps(fault: str, model: int) -> list[tuple[int, tuple[tuple[str, float], ...]]]:
    """(step, platforms that have it → P) for an element width of the model."""
    steps = ROWS if fault == "row_stride" else C2
    known = norm({n: w for n, w in norm(PRIORS["platforms"]).items() if steps[n][model - 1] is not None})
    every = sorted({steps[n][model - 1] or 0 for n in known})
    return [(step, tuple((n, p) for n, p in known.items() if steps[n][model - 1] == step)) for step in every]


def _padded(fault: str, plain: int, padded: int) -> Iterator[Padded]:
    """(key without direction, P, tensor, model width, platforms)."""
    for tensor, q in tensors(plain):
        if fault == "nc4hw4":
            if tensor.c % 4 and tensor.h * tensor.w * (tensor.c + 4 - tensor.c % 4) == padded:
                yield (), q / share_where((*IMAGES, "feature"), "c", 4), tensor, None, ()
            continue
        if tensor.family not in (IMAGES if fault == "row_stride" else ("feature",)):
            continue
        for model in (1, 2):
            for step, here in _steps(fault, model):
                if (
                    fault == "row_stride"
                    and tensor.w % step
                    and tensor.h * tensor.c * (tensor.w - tensor.w % step + step) == padded
                ):
                    yield (), q / share_where(IMAGES, "w", step), tensor, model, here
                if (
                    fault == "nc1hwc2"
                    and tensor.c % step
                    and tensor.h * tensor.w * (tensor.c - tensor.c % step + step) == padded
                ):
                    yield (step,), q / share_where(("feature",), "c", step), tensor, model, here


def _maps(given: int, wanted: int) -> Iterator[Found]:
    part = PRIORS["map_size"]
    scale = h_sum(part["side_min"], part["side_max"]) ** 2 * h_sum(1, part["channels_max"])
    for w in range(part["side_min"], part["side_max"] + 1):
        c, rest = divmod(wanted, w * w)
        if rest or not 1 <= c <= part["channels_max"] or given % c:
            continue
        h = math.isqrt(given // c)
        if h * h * c == given and part["side_min"] <= h <= part["side_max"]:
            yield (), 1 / (h * w * c * scale), None, None, ()


@cache
def _other_sizes(pixels: int) -> dict[tuple[int, int], float]:
    part = PRIORS["other_size"]
    forms = norm({f: part[f] for f in ("square", "rect", "grid")})
    found: dict[tuple[int, int], float] = {}
    for side, p in SQUARES.items():
        if side * side == pixels:
            found[side, side] = found.get((side, side), 0.0) + forms["square"] * p
    for size, p in RECTS.items():
        if size[0] * size[1] == pixels:
            found[size] = found.get(size, 0.0) + forms["rect"] * p
    grid = range(part["grid_min"], part["grid_max"] + 1, part["grid_step"])
    for h in grid:
        if pixels % h == 0 and pixels // h in grid:
            size = (h, pixels // h)
            found[size] = found.get(size, 0.0) + forms["grid"] / len(grid) ** 2
    return found


def pictures(got: int, want: int) -> Iterator[Draw]:
    """Draws of faults of picture buffers."""
    for half, p in norm(PRIORS["yuv_planes"]).items():
        if 3 * got == int(half) * want and 2 * want % 3 == 0:
            for (w, h), q in picture_sizes(2 * want // 3).items():
                yield Draw(
                    ("yuv", int(half), 3),
                    ("yuv_planes",),
                    fault_prob("yuv_planes") * p * q,
                    None,
                    stated=((h, w), "HW"),
                )
    rules: list[tuple[tuple[str, ...], str | None, int, float]] = []
    heights = {int(s): p for s, p in norm(PRIORS["height_align"]["align"]).items()}
    pitches = norm(PRIORS["pitch"]["align"])
    rules += [(("height_align",), None, s, p) for s, p in heights.items()]
    rules += [(("pitch",), r, 1, p) for r, p in pitches.items()]
    rules += [(("pitch", "height_align"), r, s, p * q) for r, p in pitches.items() for s, q in heights.items()]
    for way, tight, padded in (("pack", got, want), ("unpack", want, got)):
        if not tight < padded:
            continue
        for fmt, share in norm(PRIORS["pixel_formats"]["buffer"]).items():
            half = HALVES[fmt]
            if 2 * tight % half or 2 * padded % half:
                continue
            flat = fmt in ("NV12", "YUYV", "GRAY")
            for (w, h), q in picture_sizes(2 * tight // half).items():
                for faults, rule, step, p in rules:
                    pitch, rows = pitch_of(rule, w) if rule else w, -(-h // step) * step
                    if pitch * rows * half != 2 * padded or (rule and pitch == w) or (step > 1 and rows == h):
                        continue
                    part = PRIORS[faults[0]]
                    ways = part[way] / (part["pack"] + part["unpack"])
                    whole = fault_prob(*faults) * ways * share * p * q / picture_share(rule, step)
                    shape = ((h, w), "HW") if flat else ((h, w, half // 2), "HWC")
                    yield Draw((name(*faults), way), faults, whole, None, stated=shape)


def loose(got: int, want: int) -> Iterator[Draw]:
    """Struct sizes and the pairs without a known cause."""
    pairs = PRIORS["struct"]["pairs"]
    for given, wanted, weight in pairs:
        if (given, wanted) == (got, want):
            p = fault_prob("struct") * weight / sum(row[2] for row in pairs)
            yield Draw(("struct",), ("struct",), p, None, nowhere=True)
    part = PRIORS["none"]
    if got > part["max"]:
        return
    free = 1 / got / NONE_SUM
    for n, _, p, leads in RIGHT:
        for s in (1, 2, 4, 8):
            if want % (n * s) == 0:
                whole = fault_prob("none") * part["tensor"] / 100 * free * p
                yield Draw(("none",), ("none",), whole, (s, s), every(want // (n * s)), leads)
    if want <= part["max"]:
        yield Draw(
            ("none",), ("none",), fault_prob("none") * part["free"] / 100 * free / want / NONE_SUM, None, nowhere=True
        )
