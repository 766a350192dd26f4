"""The prior of pictures: which width × height × pixel format has a given number of bytes, and how likely each is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from math import log
from typing import cast

from prepcheck.evidence.sizes.divisors import divisors, harmonic
from prepcheck.evidence.sizes.table import Weights, table


@dataclass(frozen=True, slots=True)
class Picture:
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

    def sizes(self, area: int) -> list[tuple[int, int, bool, float]]:
        """(width, height, listed, P) of the sizes with `area` pixels."""
        found = [(w, h, True, self.listed[w, h]) for w, h in self._by_area.get(area, ())]
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

    def grouped(self, count: int, formats: Weights) -> Iterator[Picture]:
        """The same, those of sizes that are not listed taken together: shown by the one nearest to 4:3."""
        for name, share in formats.items():
            half = half_bytes()[name]
            found = () if 2 * count % half else _sizes(2 * count // half)
            listed: dict[tuple[int, int], float] = {}
            free = []
            for width, height, known, prob in found:
                if known:
                    listed[width, height] = listed.get((width, height), 0.0) + prob
                else:
                    free.append((width, height, prob))
            for (width, height), prob in listed.items():
                yield Picture(width, height, name, half, True, prob * share)
            if free:
                width, height, _ = min(free, key=lambda size: abs(3 * size[0] - 4 * size[1]))
                yield Picture(width, height, name, half, False, share * sum(prob for _, _, prob in free))


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
    return {name: int(half) for name, half in cast("dict[str, int]", table().section("pixel_formats")["half_bytes"]).items()}


@cache
def formats(use: str) -> Weights:
    """The pixel formats of one use: `frame`, `frame_wide` (elements wider than a byte), `buffer`."""
    return table().weights("pixel_formats", use)
