"""The prior of tensors: which shapes hold a given number of elements, and how likely they are together.

Without a stated shape they are found by division, never by a list of all, so the work is bounded for any number; what
the faults need is the probability of all shapes with some property, and the most probable one to show.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from prepcheck.evidence.sizes.divisors import divisors
from prepcheck.evidence.sizes.lists import sizes

FOUR_AXES = ("NHWC", "NCHW", "NC4HW4")
UNUSUAL = 0.05
"""Weight of a tensor stated in a form that the prior table does not hold (a picture without batch axis, say): assumption."""


class Candidate(NamedTuple):
    """A way to see the tensor of one item, standing for all of its kind: `prob` is theirs together.

    c, h, w are 0 where it is no image or map. axes: lengths in the order shown, `at` the index of the height among
    them (the width follows it). lead: the leading axis that was stated (batch), 0 where none was. layout: as stated,
    None where it plays no part.
    """

    family: str
    c: int
    h: int
    w: int
    axes: tuple[int, ...]
    prob: float
    at: int = 0
    lead: int = 0
    layout: str | None = None

    @property
    def expression(self) -> str:
        """The product that gives the elements of one item: `120·90·3`."""
        return product(self.axes)

    def changed(self, **lengths: int) -> str:
        """The same with another c, h or w."""
        axes = list(self.axes)
        for name, length in lengths.items():
            axes[{"h": self.at, "w": self.at + 1, "c": 0 if self.at else len(axes) - 1}[name]] = length
        return product(axes)


def product(axes: Iterable[int]) -> str:
    """The axes as a product that a reader can recompute."""
    return "·".join(map(str, axes))


class Axis(NamedTuple):
    """An axis of a tensor that has another length, standing for all of its kind. at: its index in `seen.axes`.

    prob: P(the tensor, this axis, and one given length of the 2·length − 1 others up to twice the right one).
    """

    seen: Candidate
    at: int
    length: int
    prob: float


class Tensors(ABC):
    """The tensors that one question leaves, asked by number of elements. `lead`: the stated leading axis, if any."""

    lead: int | None = None

    @abstractmethod
    def all(self, count: int) -> list[Candidate]:
        """Tensors of `count` elements, one candidate for each stated layout."""

    @abstractmethod
    def images(self, count: int, channels: int, even: bool = False) -> list[Candidate]:
        """Images of `count` elements with so many channels; even: of even height and width."""

    @abstractmethod
    def maps(self, count: int, channels: int) -> list[Candidate]:
        """Feature maps (channels other than 1, 3, 4) of `count` elements."""

    @abstractmethod
    def image(self, channels: int, height: int, width: int) -> list[Candidate]:
        """The image of just this size."""

    def unlike(self, count: int, channels: int, height: int, width: int) -> Candidate | None:
        """An image of `count` elements of another size than this one."""
        for w in free_sizes(count // channels):
            for seen in self.image(channels, count // channels // w, w):
                if (seen.h, seen.w) != (height, width):
                    return seen
        return None

    @abstractmethod
    def axes(self, count: int, step: int) -> Iterator[Axis]:
        """Axes of tensors of `count` elements, whose length is a multiple of `step`."""

    @abstractmethod
    def natives(self, count: int) -> list[Candidate]:
        """Tensors stated in NC1HWC2, of `count` elements."""

    @abstractmethod
    def whole(self) -> list[Candidate]:
        """What was stated of the tensor, whatever its elements are."""


class Area(NamedTuple):
    """The image sizes with so many pixels. prob, even: of all, and of those with even sides; best: (height, width)."""

    prob: float
    even: float
    best: tuple[int, int]
    best_even: tuple[int, int]


@lru_cache(maxsize=4096)
def area_of(pixels: int) -> Area | None:
    """The image sizes with `pixels` pixels (height × width over the three image families), None where there is none."""
    lists = sizes()
    prob = even = 0.0
    listed = listed_even = 0.0
    best = best_even = (0, 0)
    side = isqrt(pixels)
    known = list(lists.rects_by_area.get(pixels, ()))
    if side * side == pixels and side in lists.squares:
        known.append((side, side))
    for h, w in known:
        share = lists.families["rect"] * lists.rects.get((h, w), 0.0)
        share += lists.families["square"] * lists.squares[h] if h == w else 0.0
        prob += share
        if share > listed:
            best, listed = (h, w), share
        if not h % 2 and not w % 2:
            even += share
            if share > listed_even:
                best_even, listed_even = (h, w), share
    free = [] if pixels > lists.any_max**2 else free_sizes(pixels)
    if free:
        each = lists.families["any"] / (pixels * lists.any_norm**2)
        both = [w for w in free if not w % 2 and not pixels // w % 2]
        prob += each * len(free)
        even += each * len(both)
        if not listed:
            best = _squarest(pixels, free)
        if not listed_even and both:
            best_even = _squarest(pixels, both)
    return Area(prob, even, best, best_even) if prob else None


def free_sizes(pixels: int) -> list[int]:
    """Widths of the sizes of the family `any` with so many pixels."""
    lists = sizes()
    least = max(lists.any_min, -(-pixels // lists.any_max))
    most = pixels // lists.any_min
    return [w for w in divisors(pixels, lists.any_max) if least <= w <= most]


def _squarest(pixels: int, widths: list[int]) -> tuple[int, int]:
    w = min(widths, key=lambda width: abs(width - pixels // width))
    return pixels // w, w


class PriorTensors(Tensors):
    """No shape is stated: the families of the prior, for the layout that is stated, if one is."""

    def __init__(self, layout: str | None) -> None:
        self._layout = layout if layout in FOUR_AXES else None
        self._four = layout != "UNDEFINED"
        self._others = layout in (None, "UNDEFINED")
        self._scale = 1.0 if layout in (None, "UNDEFINED", *FOUR_AXES) else UNUSUAL
        self._known: dict[int, list[Candidate]] = {}

    def _make(self, family: str, c: int, h: int, w: int, prob: float) -> Candidate:
        prob *= self._scale
        if self._layout in ("NCHW", "NC4HW4"):
            return Candidate(family, c, h, w, (c, h, w), prob, at=1, layout=self._layout)
        return Candidate(family, c, h, w, (h, w, c), prob, layout=self._layout)

    def all(self, count: int) -> list[Candidate]:
        """One candidate: the most probable, with the probability of all."""
        found = self._known.get(count)
        if found is None:
            each = [*self._every(count)]
            shown = max(each, key=lambda seen: seen.prob, default=None)
            found = [] if shown is None else [shown._replace(prob=sum(seen.prob for seen in each))]
            self._known[count] = found
        return found

    def _every(self, count: int) -> Iterator[Candidate]:
        lists = sizes()
        if self._four:
            for c in lists.channels:
                yield from self.images(count, c)
            yield from self._features(count)
        if self._others:
            yield from self._sequences(count)
            yield Candidate("vector", 0, 0, count, (count,), lists.vector(count))

    def _features(self, count: int) -> list[Candidate]:
        lists = sizes()
        found = []
        for side in lists.sides:
            c, rest = divmod(count, side * side)
            if not rest and c in lists.maps:
                found.append(self._make("feature", c, side, side, lists.map(c, side, side)))
        return found

    def _sequences(self, count: int) -> list[Candidate]:
        lists = sizes()
        pairs = [(t, count // t) for t in lists.steps if not count % t]
        return [Candidate("sequence", 0, t, d, (t, d), lists.sequence(t, d)) for t, d in pairs if d in lists.depths]

    def images(self, count: int, channels: int, even: bool = False) -> list[Candidate]:
        """At most one candidate, for all sizes."""
        share = sizes().channels.get(channels)
        area = area_of(count // channels) if share and self._four and not count % channels else None
        if area is None or share is None:
            return []
        prob, size = (area.even, area.best_even) if even else (area.prob, area.best)
        return [self._make("image", channels, *size, share * prob)] if prob else []

    def maps(self, count: int, channels: int) -> list[Candidate]:
        """At most one: the side follows from the elements."""
        if count % channels or not self._four:
            return []
        side = isqrt(count // channels)
        prob = sizes().map(channels, side, side) if side * side * channels == count else 0.0
        return [self._make("feature", channels, side, side, prob)] if prob else []

    def image(self, channels: int, height: int, width: int) -> list[Candidate]:
        """This image, if the prior has it."""
        prob = sizes().image(channels, height, width) if self._four else 0.0
        return [self._make("image", channels, height, width, prob)] if prob else []

    def axes(self, count: int, step: int) -> Iterator[Axis]:
        """Axes of images, maps and sequences; a bare vector is left out: any number is one."""
        if count % step:
            return
        for c in sizes().channels if self._four else ():
            yield from self._image_axes(count, c, step)
        for seen in self._features(count) if self._four else ():
            if not seen.h % step:
                yield Axis(seen, seen.at, seen.h, seen.prob / (2 * seen.h - 1))  # height and width are equal: half each
        for seen in self._sequences(count) if self._others else ():
            for at, length, share in ((0, seen.h, 0.8), (1, seen.w, 0.2)):
                if not length % step:
                    yield Axis(seen, at, length, share * seen.prob / (2 * length - 1))

    def _image_axes(self, count: int, c: int, step: int) -> Iterator[Axis]:
        """One axis for all image sizes with `c` channels: the most probable, with the probability of all."""
        lists = sizes()
        pixels, rest = divmod(count, c)
        if rest or pixels % step or pixels > lists.any_max**2:
            return
        total = most = 0.0
        best = (0, 0)
        for part in divisors(pixels // step, lists.any_max // step):
            length = part * step
            other = pixels // length
            prob = (lists.size(length, other) + lists.size(other, length)) / (2 * length - 1)
            total += prob
            if prob > most:
                most, best = prob, (length, other)
        if total:
            length, other = best
            upright = lists.size(length, other) >= lists.size(other, length)
            seen = self._make("image", c, *(best if upright else (other, length)), lists.channels[c] * total)
            yield Axis(seen, seen.at + (0 if upright else 1), length, 0.5 * seen.prob)

    def natives(self, count: int) -> list[Candidate]:
        """None: they are only stated."""
        return []

    def whole(self) -> list[Candidate]:
        """Anything; where a layout is stated, what has four axes or not."""
        families = sizes().families
        four = sum(families[name] for name in ("square", "rect", "any", "feature"))
        share = (four * self._scale if self._four else 0.0) + (1 - four if self._others else 0.0)
        return [Candidate("whole", 0, 0, 0, (), share, layout=self._layout)]
