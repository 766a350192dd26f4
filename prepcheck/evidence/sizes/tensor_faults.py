"""Faults of a tensor, in elements: channels, blocks of four, NC1HWC2, row pitch, one axis, another size.

Every function takes the elements given and wanted and yields the hypotheses that explain them; each starts with a
test that costs nothing and fails for almost all pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import gcd, isqrt
from typing import cast

from prepcheck.evidence.sizes.divisors import divisors, harmonic
from prepcheck.evidence.sizes.facts import Facts
from prepcheck.evidence.sizes.hits import Hit
from prepcheck.evidence.sizes.lists import sizes
from prepcheck.evidence.sizes.pitches import channel_blocks, row_alignments
from prepcheck.evidence.sizes.result import Value
from prepcheck.evidence.sizes.shapes import Axis, Candidate, Tensors, product
from prepcheck.evidence.sizes.table import table


@cache
def image_share() -> float:
    """P(a tensor is an image): faults of images are drawn among images."""
    families = sizes().families
    return families["square"] + families["rect"] + families["any"]


@cache
def _channel_pairs() -> tuple[tuple[int, int, float], ...]:
    rows = []
    for wanted in (3, 1, 4):
        given = cast("list[list[int]]", table().section("channels")[str(wanted)])
        total = sum(weight for _, weight in given)
        rows += [(count, wanted, weight / total) for count, weight in given]
    return tuple(rows)


def channels(given: int, wanted: int, tensors: Tensors) -> Iterator[Hit]:
    """RGB, RGBA and grey taken for each other."""
    for got, want, share in _channel_pairs():
        if given * want != wanted * got:
            continue
        for seen in tensors.images(wanted, want):
            values: dict[str, Value] = {"given_channels": got, "wanted_channels": want}
            prob = share * seen.prob / image_share()
            yield Hit("channels", (got, want), prob, seen.changed(c=got), None, values, seen)


@cache
def _direction(section: str) -> dict[str, float]:
    return {way: table().number(section, way) / 100 for way in ("pack", "unpack")}


@cache
def _unblocked_maps(block: int) -> float:
    """P(a feature map has channels that are no multiple of `block`)."""
    lists = sizes()
    return lists.families["feature"] * sum(p for c, p in lists.maps.items() if c % block)


@cache
def _unblocked() -> float:
    """P(a tensor of four axes has channels that are no multiple of four)."""
    return _unblocked_maps(4) + image_share() * sum(p for c, p in sizes().channels.items() if c % 4)


def _ends(given: int, wanted: int) -> tuple[int, int, str]:
    """The smaller count, the larger one, and whether the plain side was given (`pack`) or wanted (`unpack`)."""
    return (given, wanted, "pack") if given < wanted else (wanted, given, "unpack")


def _sides(way: str, padded: str) -> tuple[str | None, str | None]:
    """The products given and wanted, where the plain side is the tensor's own."""
    return (None, padded) if way == "pack" else (padded, None)


def _multiples(plain: int, padded: int, block: int) -> Iterator[tuple[int, int]]:
    """(length, length rounded up to `block`) of every axis whose padding explains plain → padded elements."""
    common = gcd(plain, padded)
    low, high = plain // common, padded // common
    for times in range(1, (block - 1) // (high - low) + 1 if high > low else 1):
        if not high * times % block:
            yield low * times, high * times


def nc4hw4(given: int, wanted: int, tensors: Tensors) -> Iterator[Hit]:
    """Channels in blocks of four on one side, plain on the other."""
    plain, packed, way = _ends(given, wanted)
    for c, padded in _multiples(plain, packed, 4):
        for seen in tensors.images(plain, c) if c in (1, 3) else tensors.maps(plain, c):
            prob = _direction("nc4hw4")[way] * seen.prob / _unblocked()
            blocks = seen.changed(c=padded)
            values: dict[str, Value] = {"channels": c, "padded_channels": padded}
            yield Hit("nc4hw4", (way,), prob, *_sides(way, blocks), values, seen)


def nc1hwc2(given: int, wanted: int, tensors: Tensors, facts: Facts, width: int) -> Iterator[Hit]:
    """Channels in blocks of C2 on one side, plain on the other. width: bytes of an element of the NPU's tensor."""
    plain, packed, way = _ends(given, wanted)
    for block, share in channel_blocks(facts.platform, width).items():
        for c, padded in _multiples(plain, packed, block):
            for seen in tensors.maps(plain, c):
                prob = _direction("nc1hwc2")[way] * share * seen.prob / _unblocked_maps(block)
                yield _native(seen, c, padded, block, way, prob)
    for seen in tensors.natives(packed):
        c, rest = divmod(plain, seen.h * seen.w)
        if not rest and seen.c - seen.axes[-1] < c < seen.c:
            yield _native(seen, c, seen.c, seen.axes[-1], way, _direction("nc1hwc2")[way] * seen.prob)


def _native(seen: Candidate, c: int, padded: int, block: int, way: str, prob: float) -> Hit:
    plain, packed = product((seen.h, seen.w, c)), product((padded // block, seen.h, seen.w, block))
    sides = (plain, packed) if way == "pack" else (packed, plain)
    values: dict[str, Value] = {"channels": c, "padded_channels": padded, "block": block, "blocks": padded // block}
    return Hit("nc1hwc2", (way, block), prob, *sides, values, seen)


def row_stride(given: int, wanted: int, tensors: Tensors, facts: Facts, width: int) -> Iterator[Hit]:
    """Rows at the pitch of the NPU on one side, tight on the other. width: bytes of an element of the NPU's tensor."""
    tight, padded, way = _ends(given, wanted)
    if padded > 16 * tight:
        return
    for pixels, pitch, step, share in _rows(tight, padded, facts, width):
        for c in (3, 1, 4):
            height, rest = divmod(tight, c * pixels)
            for seen in () if rest else tensors.image(c, height, pixels):
                prob = _direction("row_stride")[way] * share * seen.prob / _unaligned_share(step)
                rows = seen.changed(w=pitch)
                values: dict[str, Value] = {"width": pixels, "pitch": pitch, "height": height, "rows": height}
                yield Hit("row_stride", (way,), prob, *_sides(way, rows), values, seen)


def _rows(tight: int, padded: int, facts: Facts, width: int) -> Iterator[tuple[int, int, int, float]]:
    """(width, pitch, step, P of the step) of the rows whose padding explains tight → padded."""
    if facts.row_pixels is not None:
        pixels, rest = divmod(facts.row_pixels * tight, padded)
        if not rest:
            yield pixels, facts.row_pixels, 16, 1.0
        return
    for step, share in row_alignments(facts.platform, width).items():
        for pixels, pitch in _multiples(tight, padded, step):
            yield pixels, pitch, step, share


@cache
def _unaligned_share(step: int) -> float:
    """P(an image whose rows need padding)."""
    return image_share() - sizes().share_of_images(step)


def axis_short(given: int, wanted: int, tensors: Tensors) -> Iterator[Hit]:
    """One axis has another length; every length up to twice the right one is as likely."""
    if given > 2 * wanted:
        return
    common = gcd(given, wanted)
    step = wanted // common
    total: dict[str | None, float] = {}
    best: dict[str | None, tuple[float, Axis]] = {}
    for axis in tensors.axes(wanted, step):
        layout = axis.seen.layout
        prob = axis.prob / (1 - sizes().families["vector"])
        total[layout] = total.get(layout, 0.0) + prob
        if layout not in best or prob > best[layout][0]:
            best[layout] = prob, axis
    for layout, (_, axis) in best.items():
        got, seen = given // common * (axis.length // step), axis.seen
        axes = tuple(got if at == axis.at else length for at, length in enumerate(seen.axes))
        where = axis.at + (1 if seen.lead else 0)
        values: dict[str, Value] = {"given_length": got, "wanted_length": axis.length, "axis": where}
        yield Hit("axis_short", (), total[layout], product(axes), None, values, seen)


def other_size(given: int, wanted: int, tensors: Tensors) -> Iterator[Hit]:
    """The height and width of another model."""
    for c in (3, 1, 4):
        if not given % c and not wanted % c:
            yield from _other(given // c, wanted, tensors, c, c, 1.0, "other_size")


def channels_and_size(given: int, wanted: int, tensors: Tensors) -> Iterator[Hit]:
    """The height and width of another model, and other channels."""
    for got, want, share in _channel_pairs():
        if not given % got and not wanted % want:
            yield from _other(given // got, wanted, tensors, got, want, share, "channels+other_size")


def _other(area: int, wanted: int, tensors: Tensors, got: int, want: int, share: float, fault: str) -> Iterator[Hit]:
    """Images of `wanted` elements and `want` channels, given with `got` channels and another size of `area` pixels."""
    total, shown = _given_area(area)
    for seen in tensors.images(wanted, want) if total else ():
        prob, h, w = total * seen.prob, *shown
        if area * want == wanted:  # the same number of pixels: the size itself is no other one
            prob = _unlike(area, want, seen, tensors)
            if prob <= 0.0:
                continue
            if (h, w) == (seen.h, seen.w):
                seen = tensors.unlike(wanted, want, h, w) or seen
        values: dict[str, Value] = {
            "given_width": w,
            "given_height": h,
            "wanted_width": seen.w,
            "wanted_height": seen.h,
        }
        key = (got, want) if got != want else ()
        if got != want:
            values |= {"given_channels": got, "wanted_channels": want}
        yield Hit(fault, key, share * prob / image_share(), seen.changed(h=h, w=w, c=got), None, values, seen)


def _unlike(area: int, channels: int, seen: Candidate, tensors: Tensors) -> float:
    """P(the size given, and a wanted one of as many pixels that is not the same)."""
    prob = 0.0
    for h, w, share in _given_sizes(area):
        same = sum(image.prob for image in tensors.image(channels, h, w) if image.layout == seen.layout)
        prob += share * max(seen.prob - same, 0.0)
    return prob


@lru_cache(maxsize=1024)
def _given_area(area: int) -> tuple[float, tuple[int, int]]:
    """P(a size of another model has `area` pixels), and the most probable of these (height, width)."""
    found = _given_sizes(area)
    if not found:
        return 0.0, (0, 0)
    h, w, _ = max(found, key=lambda size: size[2])
    return sum(size[2] for size in found), (h, w)


def _given_sizes(area: int) -> list[tuple[int, int, float]]:
    """(height, width, P) of the sizes of other models with `area` pixels."""
    lists = sizes()
    shares = _given_shares()
    side = isqrt(area)
    square = side * side == area and side in lists.squares
    found = [(side, side, shares["square"] * lists.squares[side])] if square else []
    found += [(h, w, shares["rect"] * lists.rects[h, w]) for h, w in lists.rects_by_area.get(area, ())]
    step, low, high = (table().whole("other_size", f"grid_{name}") for name in ("step", "min", "max"))
    cells, rest = divmod(area, step * step)
    if not rest and area <= high * high:
        each = shares["grid"] / ((high - low) // step + 1) ** 2
        for part in divisors(cells, high // step):
            h, w = cells // part * step, part * step
            if low <= w and low <= h <= high:
                found.append((h, w, each))
    return found


@cache
def _given_shares() -> dict[str, float]:
    return {way: table().number("other_size", way) / 100 for way in ("square", "rect", "grid")}


def map_size(given: int, wanted: int, tensors: Tensors) -> Iterator[Hit]:
    """Square maps of one channel number and two sides (an inner tensor: a stated shape does not speak of it)."""
    if tensors.lead is not None:
        return
    common = gcd(given, wanted)
    small, large = isqrt(given // common), isqrt(wanted // common)
    if small * small * common != given or large * large * common != wanted or small == large:
        return
    prior = table()
    low, high, most = (prior.whole("map_size", key) for key in ("side_min", "side_max", "channels_max"))
    norm = harmonic(low, high) ** 2 * harmonic(1, most)
    for times in range(1, high // max(small, large) + 1):
        c, rest = divmod(wanted, (large * times) ** 2)
        h, w = small * times, large * times
        if rest or not 0 < c <= most or min(h, w) < low:
            continue
        values: dict[str, Value] = {"given_width": h, "given_height": h, "wanted_width": w, "wanted_height": w}
        yield Hit("map_size", (), 1 / (h * w * c * norm), f"{c}·{h}·{h}", f"{c}·{w}·{w}", values)
