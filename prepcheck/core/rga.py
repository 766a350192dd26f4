"""What an RGA core can do with a job, as arithmetic: limits, scaling, row pitches, and why a core cannot.

Sizes are (width, height) in pixels. The figures of each chip are data (`prepcheck.data.chips`). Standard library only.
Sources: RGA developer guide; librga 1.10.5 im2d_impl.cpp (the checks of imcheck); kernel driver rga_policy.c, rga_mm.c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from prepcheck.core.geometry import Box
from prepcheck.core.layouts import round_up
from prepcheck.core.rga_formats import RkFormat, pitch_bytes, row_step

Size = tuple[int, int]
Reach = Literal["contiguous", "below_4gib", "any"]
"""Memory that a core can address: only physically contiguous buffers, any pages below 4 GiB, or any pages."""
Kind = Literal["rga2", "rga3"]

SMALLEST = 2
"""Pixels that every dimension given to RGA has at least. Source: developer guide, design index note 2."""
FOUR_GIB = 1 << 32


@dataclass(frozen=True, slots=True)
class RgaCore:
    """One core of a chip. kind: what imconfig pins; name: the variant; inputs, outputs: groups of formats.

    scale_max: largest factor either way. byte_stride: bytes at which rows begin. max_pitch_bytes: longest row.
    bicubic_rows: widest row that is enlarged bicubically downwards. masks: bits of imconfig's scheduler core.
    """

    kind: Kind
    name: str
    hw_version: str | None
    reach: Reach
    in_min: Size
    in_max: Size
    out_min: Size
    out_max: Size
    scale_max: int
    byte_stride: int
    max_pitch_bytes: int
    inputs: frozenset[str]
    outputs: frozenset[str]
    fill: bool
    linear_down: bool
    bicubic_rows: int
    masks: tuple[int, ...]
    count: int
    confidence: str
    source: str


@dataclass(frozen=True, slots=True)
class RgaChip:
    """The RGA of a chip."""

    name: str
    cores: tuple[RgaCore, ...]
    source: str

    @property
    def byte_stride(self) -> int:
        """Bytes at which rows have to begin: the strictest core counts, whichever runs the job.

        Source: developer guide, alignment note 2; librga merges the tables of the cores (im2d_hardware.h).
        """
        return max(core.byte_stride for core in self.cores)

    def of_kind(self, kind: str | None) -> tuple[RgaCore, ...]:
        """The cores of a kind; all where none is named."""
        return tuple(c for c in self.cores if kind in (None, c.kind))


@dataclass(frozen=True, slots=True)
class Surface:
    """An RGA image as the library sees it: strides filled in, rect = the part worked on."""

    format: RkFormat
    width: int
    height: int
    wstride: int
    hstride: int
    rect: Box

    @property
    def work(self) -> Size:
        """The size that RGA works on. A rectangle takes the place of the image's size in every check."""
        return (self.rect.w, self.rect.h)


@dataclass(frozen=True, slots=True)
class Job:
    """One operation. fill: it paints a colour (no source). turned: it may exchange width and height (imrotate)."""

    src: Surface | None
    dst: Surface | None
    fill: bool = False
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why one core cannot run a job.

    kind: `format`, `small`, `large`, `scale`, `pitch`, `fill` or `turn`; side: src or dst ("" for fill and scale). got and
    limit: sizes in pixels (small, large: of the axis), bytes (pitch); for scale got and other: source and
    destination of the axis.
    """

    core: RgaCore
    kind: str
    side: str = ""
    axis: str = ""
    got: int = 0
    other: int = 0
    limit: int = 0
    format: str = ""

    @property
    def ratio(self) -> float:
        """The factor of a scaling, at least 1."""
        low, high = sorted((self.got, self.other))
        return high / low if low else float("inf")

    @property
    def side_name(self) -> str:
        """source or destination."""
        return {"src": "source", "dst": "destination"}.get(self.side, "job")

    @property
    def short(self) -> str:
        """It in a few signs, for lists: `RGA3: 1608/192 = 8.375 > 8`."""
        where = {"src": "in", "dst": "out"}.get(self.side, "")
        if self.kind == "scale":
            high, low = max(self.got, self.other), min(self.got, self.other)
            return f"{self.core.name}: {high}/{low} = {self.ratio:.4g} > {self.limit}"
        if self.kind in ("small", "large"):
            return (
                f"{self.core.name}: {where} {self.axis} {self.got} {'<' if self.kind == 'small' else '>'} {self.limit}"
            )
        if self.kind == "pitch":
            return f"{self.core.name}: {where} {self.got} > {self.limit} bytes a row"
        if self.kind == "turn":
            return f"{self.core.name}: no quarter turn of {self.format}"
        return f"{self.core.name}: no {where} {self.format}" if self.kind == "format" else f"{self.core.name}: no fill"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which of the cores that may be chosen can run a job (their reach into memory left aside)."""

    cores: tuple[RgaCore, ...]
    obstacles: tuple[tuple[Obstacle, ...], ...]

    @property
    def able(self) -> tuple[RgaCore, ...]:
        """The cores with no obstacle."""
        return tuple(c for c, why in zip(self.cores, self.obstacles, strict=True) if not why)

    def common(self, *kinds: str) -> list[Obstacle]:
        """The first obstacle of these kinds of every core; empty where some core has none of them."""
        found = [next((o for o in why if o.kind in kinds), None) for why in self.obstacles]
        return [o for o in found if o is not None] if found and None not in found else []

    def why_not(self, kind: str) -> tuple[Obstacle, ...]:
        """The obstacles of the first core of a kind."""
        return next((why for c, why in zip(self.cores, self.obstacles, strict=True) if c.kind == kind), ())


def verdict(cores: Sequence[RgaCore], job: Job) -> Verdict:
    """The obstacles of every core."""
    return Verdict(tuple(cores), tuple(tuple(obstacles(core, job)) for core in cores))


def obstacles(core: RgaCore, job: Job) -> list[Obstacle]:
    """Every reason why a core cannot run a job; memory and row alignment left aside. Source: driver rga_policy.c."""
    found: list[Obstacle] = []
    if job.fill and not core.fill:
        found.append(Obstacle(core, "fill"))
    for side, surface in (("src", job.src), ("dst", job.dst)):
        if surface is not None:
            found += _surface(core, side, surface)
    if job.src is not None and job.dst is not None and not job.fill:
        scale = _scale(core, job.src.work, job.dst.work)
        if scale is not None and job.turned:
            scale = scale and _scale(core, job.src.work, job.dst.work[::-1])
        if scale is not None:
            found.append(scale)
        if job.turned and core.kind == "rga3" and _quarter_of_422(job.src, job.dst):
            found.append(Obstacle(core, "turn", "src", format=job.src.format.name))
    return found


def _quarter_of_422(source: Surface, dest: Surface) -> bool:
    """A turn by 90 or 270 degrees of a 4:2:2 picture: RGA3 has none. Source: RGA developer guide."""
    (w, h), (dw, dh) = source.work, dest.work
    return source.format.is_yuv and source.format.sub == (2, 1) and w != h and (w, h) == (dh, dw)


def _surface(core: RgaCore, side: str, surface: Surface) -> list[Obstacle]:
    formats, low, high = (
        (core.inputs, core.in_min, core.in_max) if side == "src" else (core.outputs, core.out_min, core.out_max)
    )
    found: list[Obstacle] = []
    if surface.format.group not in formats:
        found.append(Obstacle(core, "format", side, format=surface.format.name))
    for axis, got, least, most in zip(("width", "height"), surface.work, low, high, strict=True):
        if SMALLEST <= got < least:  # less is refused everywhere: no obstacle of this core
            found.append(Obstacle(core, "small", side, axis, got, limit=least))
        elif got > most:
            found.append(Obstacle(core, "large", side, axis, got, limit=most))
    row = pitch_bytes(surface.format, surface.wstride)
    if row > core.max_pitch_bytes:
        found.append(Obstacle(core, "pitch", side, got=row, limit=core.max_pitch_bytes))
    return found


def _scale(core: RgaCore, source: Size, dest: Size) -> Obstacle | None:
    """The axis that is scaled too much, the worse one first; sizes that RGA refuses anyway are left aside."""
    if min(*source, *dest) < SMALLEST:
        return None
    beyond = [
        Obstacle(core, "scale", axis=axis, got=s, other=d, limit=core.scale_max)
        for axis, s, d in zip(("width", "height"), source, dest, strict=True)
        if scales_too_much(s, d, core.scale_max)
    ]
    return max(beyond, key=lambda o: o.ratio) if beyond else None


def scales_too_much(source: int, dest: int, limit: int) -> bool:
    """Whether one axis is scaled beyond 1/limit … limit (a power of two).

    Whole numbers: refused where source >> log2(limit) > dest or the reverse, so that exactly `limit` passes, and a
    little more. Source: librga rga_check_limit, kernel driver rga3_scale_check and rga2_scale_check.
    """
    shift = limit.bit_length() - 1
    return (source >> shift) > dest or (dest >> shift) > source


def between(source: Size, dest: Size, limit: int, step: int = 1) -> Size | None:
    """A size in between, so that both scalings stay within `limit`; None where two steps are not enough.

    The second step has the smallest whole factor that leaves a legal first one. step: multiple for the width.
    """
    for factor in range(2, limit + 1):
        middle = (_toward(source[0], dest[0], factor, step), _toward(source[1], dest[1], factor, 2))
        pairs = ((source[0], middle[0]), (middle[0], dest[0]), (source[1], middle[1]), (middle[1], dest[1]))
        if not any(max(a, b) > limit * min(a, b) for a, b in pairs):
            return middle
    return None


def _toward(source: int, dest: int, factor: int, step: int) -> int:
    if source >= dest:
        return min(source, round_up(dest * factor, step))
    return max(source, round_up(-(-dest // factor), step))


@dataclass(frozen=True, slots=True)
class RowRule:
    """Whether rows begin where they have to. step: pixels; below, above: the nearest legal pitches."""

    wstride: int
    step: int

    @property
    def legal(self) -> bool:
        """Whether wstride is a multiple of the step."""
        return self.wstride % self.step == 0

    @property
    def below(self) -> int:
        """The largest legal pitch that is not longer (0: there is none)."""
        return self.wstride // self.step * self.step

    @property
    def above(self) -> int:
        """The smallest legal pitch that is not shorter."""
        return round_up(self.wstride, self.step)


def row_rule(fmt: RkFormat, wstride: int, byte_stride: int) -> RowRule:
    """The rule for rows of a format."""
    return RowRule(wstride, row_step(fmt, byte_stride))
