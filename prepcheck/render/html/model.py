"""What the page shows beyond the report: pictures, values, the effect, the chain of steps. Arrays, not yet encoded."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence for the reader: a template of the catalogue, and what its places hold."""

    text: str
    values: dict[str, int | float | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Effect:
    """How far the input moved. psnr: dB over pixel steps, 255 as peak; inf where equal. mean, largest: pixel steps.

    changed: share of the elements that differ by more than two steps. cut, cut_right: share of the values beyond what zero
    point and scale hold, seen and right; None where nothing is known of them. levels, levels_right: distinct values that
    the network gets, codes where it is quantised. *_right is None where nobody states how values are normalised.
    """

    psnr: float
    mean: float
    largest: float
    changed: float
    levels: int
    levels_right: int | None
    cut: float | None = None
    cut_right: float | None = None


@dataclass(frozen=True, slots=True)
class ChannelValues:
    """Counts of one channel's values in equal bins of the histogram's axis: as they should be, and as they are."""

    name: str
    right: NDArray[np.int64]
    seen: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Histogram:
    """Values of every channel over one axis low..high. held: what the input's codes can hold, None where not known.

    in_network: the axis is in the network's own values; else in those that are handed over.
    """

    low: float
    high: float
    channels: tuple[ChannelValues, ...]
    held: tuple[float, float] | None
    in_network: bool


@dataclass(frozen=True, slots=True)
class Views:
    """The pictures of one input, H x W x 3. difference: pixel steps, H x W, NaN where nothing was written.

    source: the decoded file. right, seen: what the network should see and does see. origin: `buffer` (submitted bytes),
    `plan` (what the steps as stated produce) or `assumed` (the usual path; nobody stated one).
    size: width and height of the input, where the pictures have fewer pixels.
    """

    source: Pixels
    right: Pixels | None = None
    seen: Pixels | None = None
    difference: Floats | None = None
    effect: Effect | None = None
    histogram: Histogram | None = None
    origin: str = "assumed"
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Before:
    """What is known of the picture at one point of the chain, as short texts; "" = unknown."""

    size: str = ""
    layout: str = ""
    dtype: str = ""
    color: str = ""
    range: str = ""


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One step: what it is, who does it, what was before and after; text: a hand-over's own words instead of a state.
    picture: what it leaves, where it changes the picture."""

    name: str
    where: str
    note: str
    before: Before | None
    after: Before | None
    text: str
    findings: tuple[str, ...]
    picture: Pixels | None = None


@dataclass(frozen=True, slots=True)
class InputPage:
    """Everything about one input of the model. implicit: no plan states the chain."""

    name: str
    image: str = ""
    views: Views | None = None
    chain: tuple[ChainStep, ...] = ()
    notes: tuple[Note, ...] = ()
    implicit: bool = False


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a log with the label that it got."""

    where: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Extras:
    """The page beyond the report."""

    inputs: tuple[InputPage, ...] = ()
    lines: tuple[LogLine, ...] = ()
    lines_left_out: int = 0
