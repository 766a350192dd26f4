"""The prior of pictures: which width × height × pixel format has a given number of bytes, and how likely each is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import log
from typing import NamedTuple, cast

from prepcheck.evidence.sizes.divisors import divisors, harmonic
from prepcheck.evidence.sizes.table import Weights, table


class Picture(NamedTuple):
    """A packed picture. half: half bytes a pixel (NV12 3, RGB 6). listed: its size is one that cameras and videos have."""

    width: int
    height: int
    format: str
    half: int
    listed: bool
    prob: float

    @property
    def expression(self) -> str:
        """Bytes as a product: `1920·1080·3`, `1920·1080·3/2`."""
        return picture_expression(self.width, self.height, self.half)


def picture_expression(width: int, height: int, half: int) -> str:
    """Bytes of a picture as a product."""
    depth = f"·{half}/2" if half % 2 else f"·{half // 2}" if half != 2 else ""
    return f"{width}·{height}{depth}"


class Pictures:
    """Pictures by number of pixels; the size list is small, any other size is found by division."""

    def __init__(self) -> None:
        prior = table()
        portrait = prior.number("frames", "portrait")
        self._any = prior.number("frames", "any")
        self._min, self._max = prior.whole("frames", "any_min"), prior.whole("frames", "any_max")
        self._aspect = prior.number("frames", "any_aspect")
        rows = prior.rows("frames", "sizes")
        total = sum(weight for _, _, weight in rows)
        self.listed: dict[tuple[int, int], float] = {}
        for width, height, weight in rows:
            scale = (1 - self._any) * weight / total
            for size, share in (((int(width), int(height)), 1 - portrait), ((int(height), int(width)), portrait)):
                self.listed[size] = self.listed.get(size, 0.0) + share * scale
        self._by_area: dict[int, list[tuple[int, int]]] = {}
        for size in self.listed:
            self._by_area.setdefault(size[0] * size[1], []).append(size)
        spread = log(self._max / self._min)  # of log-uniform sides; the share within the aspect is that of a triangle
        inside = 1 - (1 - log(self._aspect) / spread) ** 2
        self._any_norm = harmonic(self._min, self._max) ** 2 * inside

    def usual(self, area: int) -> list[tuple[int, int, bool, float]]:
        """The same, drawn from the list only."""
        return [(w, h, True, self.listed[w, h]) for w, h in self._by_area.get(area, ())]

    def sizes(self, area: int) -> list[tuple[int, int, bool, float]]:
        """(width, height, listed, P) of the sizes with `area` pixels."""
        found = self.usual(area)
        if area <= self._max**2:
            prob = self._any / (area * self._any_norm)
            least = max(self._min, -(-area // self._max))
            for w in divisors(area, self._max):
                if w >= least and self._free(w, area // w):
                    found.append((w, area // w, (w, area // w) in self.listed, prob))
        return found

    def _free(self, width: int, height: int) -> bool:
        low, high = min(width, height), max(width, height)
        return self._min <= low and high <= self._max and high <= self._aspect * low

    def prob(self, width: int, height: int) -> float:
        """P(width, height)."""
        free = self._any / (width * height * self._any_norm) if self._free(width, height) else 0.0
        return self.listed.get((width, height), 0.0) + free

    def of(self, count: int, formats: Weights) -> Iterator[Picture]:
        """Pictures of `count` bytes (one byte an element) in the given formats."""
        for name, share in formats.items():
            half = half_bytes()[name]
            if not 2 * count % half:
                for width, height, listed, prob in _sizes(2 * count // half):
                    yield Picture(width, height, name, half, listed, prob * share)


@lru_cache(maxsize=2048)
def grouped(count: int, use: str, free: bool) -> tuple[Picture, ...]:
    """Pictures of `count` bytes in the formats of one use, of listed sizes or (free) of any.

    Those whose size is not listed are taken together for each format, shown by the one nearest to 4:3.
    """
    found = []
    for name, share in formats(use).items():
        half = half_bytes()[name]
        if 2 * count % half:
            continue
        area = 2 * count // half
        sides: dict[tuple[int, int], float] = {}
        shown: tuple[int, int] | None = None
        total = 0.0
        for width, height, listed, prob in _sizes(area) if free else pictures().usual(area):
            if listed:
                sides[width, height] = sides.get((width, height), 0.0) + prob
                continue
            total += prob
            if shown is None or abs(3 * width - 4 * height) < abs(3 * shown[0] - 4 * shown[1]):
                shown = (width, height)
        found += [Picture(*size, name, half, True, prob * share) for size, prob in sides.items()]
        if shown is not None:
            found.append(Picture(*shown, name, half, False, total * share))
    return tuple(found)


@lru_cache(maxsize=2048)
def _sizes(area: int) -> tuple[tuple[int, int, bool, float], ...]:
    return tuple(pictures().sizes(area))


@cache
def pictures() -> Pictures:
    """The pictures (made once)."""
    return Pictures()


@cache
def half_bytes() -> dict[str, int]:
    """Half bytes a pixel of each pixel format."""
    return {
        name: int(half) for name, half in cast("dict[str, int]", table().section("pixel_formats")["half_bytes"]).items()
    }


@cache
def formats(use: str) -> Weights:
    """The pixel formats of one use: `frame`, `frame_wide` (elements wider than a byte), `buffer`."""
    return table().weights("pixel_formats", use)
