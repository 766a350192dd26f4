"""A stated shape: the ways to read it (which axis is which), each with its probability."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from prepcheck.core.layouts import CHANNELS_FIRST, Dims, dims_of, round_up
from prepcheck.evidence.sizes.facts import Facts
from prepcheck.evidence.sizes.lists import sizes
from prepcheck.evidence.sizes.pitches import row_pitches
from prepcheck.evidence.sizes.shapes import FOUR_AXES, UNUSUAL, Axis, Candidate, PriorTensors, Tensors

FLOOR = 1e-12
"""Prior of a stated shape that no family holds: only its relation to the others matters."""


class StatedTensors(Tensors):
    """The readings of a stated shape that have the same leading axis."""

    def __init__(self, lead: int, readings: list[Candidate]) -> None:
        self.lead = lead
        self._readings = [(prod(seen.axes), seen) for seen in readings]

    def all(self, count: int) -> list[Candidate]:
        """All readings if the item has `count` elements, padded ones by theirs."""
        return [seen for elements, seen in self._readings if elements == count]

    def images(self, count: int, channels: int, even: bool = False) -> list[Candidate]:
        """Readings as an image."""
        found = [seen for seen in self.all(count) if seen.c == channels and seen.family == "stated"]
        return [seen for seen in found if not seen.h % 2 and not seen.w % 2] if even else found

    def maps(self, count: int, channels: int) -> list[Candidate]:
        """Readings with other channels than images have."""
        return self.images(count, channels) if channels not in (1, 3, 4) else []

    def image(self, channels: int, height: int, width: int) -> list[Candidate]:
        """Readings of just this size."""
        return [
            seen for seen in self.images(channels * height * width, channels) if (seen.h, seen.w) == (height, width)
        ]

    def axes(self, count: int, step: int) -> Iterator[Axis]:
        """Height and width of images and maps, every axis of what is neither."""
        for seen in self.all(count):
            if seen.family in ("padded", "native"):
                continue
            if seen.c:
                choices = [(seen.at, 0.5), (seen.at + 1, 0.5)]
            elif seen.family == "sequence":
                choices = [(0, 0.8), (1, 0.2)]
            else:
                choices = [(at, 1 / len(seen.axes)) for at in range(len(seen.axes))]
            for at, share in choices:
                if not seen.axes[at] % step:
                    yield Axis(seen, at, seen.axes[at], share * seen.prob / (2 * seen.axes[at] - 1))

    def natives(self, count: int) -> list[Candidate]:
        """Readings in NC1HWC2."""
        return [seen for seen in self.all(count) if seen.family == "native"]

    def whole(self) -> list[Candidate]:
        """All readings."""
        return [seen for _, seen in self._readings]


def tensors(facts: Facts) -> list[Tensors]:
    """The tensors that the facts leave, grouped by the leading axis stated for them."""
    if facts.shape is None:
        return [PriorTensors(facts.layout)]
    groups: dict[int, list[Candidate]] = {}
    for seen in _readings(facts.shape, facts.layout):
        group = groups.setdefault(max(seen.lead, 1), [])
        group.append(seen)
        group += _padded(seen, facts)
    return [StatedTensors(lead, readings) for lead, readings in groups.items()]


def _readings(shape: tuple[int, ...], layout: str | None) -> Iterator[Candidate]:
    """Every way to see a stated shape. Each shape has at least one."""
    lists = sizes()
    rank = len(shape)
    if layout == "NC1HWC2" and rank == 5:
        n, c1, h, w, c2 = shape
        yield Candidate("native", c1 * c2, h, w, (c1, h, w, c2), 1.0, 1, n, layout)
        return
    named = dims_of(layout, shape) if layout else None
    if named is not None and layout is not None:
        yield _image(shape, layout, named, 1.0)
        return
    if rank == 4:
        yield from _images(shape, FOUR_AXES, 1.0)
    elif rank == 3:
        prior = max(lists.sequence(shape[1], shape[2]), FLOOR)
        yield Candidate("sequence", 0, shape[1], shape[2], shape[1:], prior, lead=shape[0])
        yield from _images(shape, ("HWC", "CHW"), UNUSUAL)
    elif rank == 2:
        yield Candidate("vector", 0, 0, shape[1], shape[1:], lists.vector(shape[1]), lead=shape[0])
        yield Candidate("sequence", 0, shape[0], shape[1], shape, max(UNUSUAL * lists.sequence(*shape), FLOOR))
    elif rank == 1:
        yield Candidate("vector", 0, 0, shape[0], shape, lists.vector(shape[0]))
    else:
        yield Candidate("other", 0, 0, 0, shape[1:], FLOOR, lead=shape[0])


def _images(shape: tuple[int, ...], orders: tuple[str, ...], weight: float) -> Iterator[Candidate]:
    for order in orders:
        dims = dims_of(order, shape)
        if dims is not None and (len(shape) == 4 or dims.c in (1, 3, 4)):
            yield _image(shape, order, dims, weight)


def _image(shape: tuple[int, ...], layout: str, dims: Dims, weight: float) -> Candidate:
    lists = sizes()
    prior = max(lists.image(dims.c, dims.h, dims.w) + lists.map(dims.c, dims.h, dims.w), FLOOR) * weight
    batched = layout in FOUR_AXES
    lead, axes = (shape[0], shape[1:]) if batched else (0, shape)
    at = 1 if layout in CHANNELS_FIRST else 0
    return Candidate("stated", dims.c, dims.h, dims.w, axes, prior, at, lead, layout if batched else None)


def _padded(seen: Candidate, facts: Facts) -> Iterator[Candidate]:
    """The same tensor when both counts include its padding: rows at the pitch of the NPU, channels in blocks of four."""
    if seen.family != "stated":
        return
    if seen.c in (1, 3, 4) and "rknn" in facts.runtimes():
        for pixels, share in row_pitches(facts, seen.w, facts.width or 1).items():
            if pixels != seen.w:
                axes = tuple(pixels if at == seen.at + 1 else axis for at, axis in enumerate(seen.axes))
                yield seen._replace(family="padded", c=0, h=0, w=0, axes=axes, prob=UNUSUAL * share * seen.prob)
    if seen.c % 4 and seen.layout == "NC4HW4":
        axes = (round_up(seen.c, 4), *seen.axes[1:])
        yield seen._replace(family="padded", c=0, h=0, w=0, axes=axes, prob=UNUSUAL * seen.prob)
