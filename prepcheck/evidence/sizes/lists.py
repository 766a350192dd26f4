"""The lists of heights, widths, channels and lengths that inputs have, by weight, out of the prior table."""

from __future__ import annotations

from functools import cache
from typing import cast

from prepcheck.evidence.sizes.divisors import harmonic
from prepcheck.evidence.sizes.table import by_number, table


class Sizes:
    """The lists of heights and widths that inputs have, by weight."""

    def __init__(self) -> None:
        prior = table()
        portrait = prior.number("shapes", "portrait")
        self.squares = by_number(prior.weights("shapes", "squares"))
        rows = prior.rows("shapes", "rects")
        total = sum(weight for _, _, weight in rows)
        self.rects: dict[tuple[int, int], float] = {}
        for height, width, weight in rows:
            for size, share in (((int(height), int(width)), 1 - portrait), ((int(width), int(height)), portrait)):
                self.rects[size] = self.rects.get(size, 0.0) + share * weight / total
        self.rects_by_area: dict[int, list[tuple[int, int]]] = {}
        for size in self.rects:
            self.rects_by_area.setdefault(size[0] * size[1], []).append(size)
        self.channels = by_number(prior.weights("shapes", "channels"))
        self.families = prior.weights("shapes", "families")
        self.any_min, self.any_max = prior.whole("shapes", "any_min"), prior.whole("shapes", "any_max")
        self.any_norm = harmonic(self.any_min, self.any_max)
        self._rect, self._square = self.families["rect"], self.families["square"]
        self._any = self.families["any"] / self.any_norm**2
        self.maps = by_number(prior.weights("shapes", "feature_channels"))
        self.sides = frozenset(int(s) for s in _list("feature_sides"))
        self.steps = frozenset(int(t) for t in _list("sequence_t"))
        self.depths = frozenset(int(d) for d in _list("sequence_d"))
        self.vector_max = prior.whole("shapes", "vector_max")

    def size(self, h: int, w: int) -> float:
        """P(height, width) over the three image families."""
        prob = self._rect * self.rects.get((h, w), 0.0)
        if h == w:
            prob += self._square * self.squares.get(h, 0.0)
        if self.any_min <= h <= self.any_max and self.any_min <= w <= self.any_max:
            prob += self._any / (h * w)
        return prob

    def image(self, c: int, h: int, w: int) -> float:
        """P(channels, height, width) over the three image families."""
        return self.channels.get(c, 0.0) * self.size(h, w)

    def share_of_images(self, width: int, height: int = 1) -> float:
        """P(an image's width is a multiple of `width` and its height one of `height`)."""
        inside = self.families["square"] * sum(
            p for side, p in self.squares.items() if not side % width and not side % height
        )
        inside += self.families["rect"] * sum(p for (h, w), p in self.rects.items() if not w % width and not h % height)
        multiples = [harmonic(-(-self.any_min // step), self.any_max // step) / step for step in (width, height)]
        return inside + self.families["any"] * multiples[0] * multiples[1] / self.any_norm**2

    def map(self, c: int, h: int, w: int) -> float:
        """P(channels, side) of the family of feature maps."""
        if h != w or h not in self.sides:
            return 0.0
        return self.families["feature"] * self.maps.get(c, 0.0) / len(self.sides)

    def sequence(self, t: int, d: int) -> float:
        """P(steps, depth)."""
        known = t in self.steps and d in self.depths
        return self.families["sequence"] / (len(self.steps) * len(self.depths)) if known else 0.0

    def vector(self, length: int) -> float:
        """P(length) ∝ 1/length; beyond the limit of the table a thousandth of that."""
        decay = 1.0 if length <= self.vector_max else 1e-3
        return decay * self.families["vector"] / (length * harmonic(1, self.vector_max))


@cache
def sizes() -> Sizes:
    """The size lists (made once)."""
    return Sizes()


def _list(key: str) -> list[float]:
    return cast("list[float]", table().section("shapes")[key])
