"""What goes into a diagnosis and what comes out: the expected hand-over, faults, the Diagnosis.

Sizes of pictures are (height, width) in array order; boxes are `core.geometry.Box` (left, top, width, height).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.dtypes import itemsize
from prepcheck.core.geometry import Box
from prepcheck.core.layouts import AXES, dims_of, round_up

Pixels: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float32]
Elements: TypeAlias = NDArray[np.generic]
Value: TypeAlias = "int | float | str | list[int] | list[float] | None"

CHANNELS = {"GRAY": 1, "RGB": 3, "BGR": 3, "RGBA": 4, "BGRA": 4}


@dataclass(frozen=True, slots=True)
class Geometry:
    """How the source lies in the model's frame: `crop` of the source (None: all of it) is scaled into `box` of the
    frame (None: all of it); the rest of the frame is `fill` (one pixel value per channel, or one for all)."""

    kind: Literal["stretch", "letterbox", "crop"] = "stretch"
    box: Box | None = None
    crop: Box | None = None
    fill: tuple[int, ...] = (114,)
    align: str | None = None


@dataclass(frozen=True, slots=True)
class BufferSpec:
    """One way to hand a picture over.

    dtype: element type. layout: NHWC NCHW NC4HW4 NC1HWC2 HWC CHW HW; shape: in that layout (NC4HW4: logical NCHW).
    color: of the elements (its letters give the number of channels). w_stride: pixels from row to row, None = packed.
    mean, std: applied on the host, per channel, in pixel units (0..255). scale, zero_point: the host quantizes.
    model_mean, model_std: applied by the model or its runtime to what is handed over.
    filter: the interpolation that the plan names (nearest, bilinear, bicubic, area, lanczos), else None.
    label: how to name it in a report ("uint8 NHWC, rows of 816 pixels").
    """

    dtype: str
    layout: str
    shape: tuple[int, ...]
    color: str = "RGB"
    w_stride: int | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None
    scale: float | None = None
    zero_point: int = 0
    model_mean: tuple[float, ...] | None = None
    model_std: tuple[float, ...] | None = None
    geometry: Geometry = field(default_factory=Geometry)
    filter: str | None = None
    label: str = ""

    @property
    def channels(self) -> int:
        """Channels of the picture, padding of packed layouts left out."""
        return CHANNELS[self.color]

    @property
    def planar(self) -> bool:
        """Whether whole planes follow each other."""
        return self.layout in ("NCHW", "CHW")

    @property
    def stored(self) -> int:
        """Channels that one pixel takes in memory where pixels are interleaved: C, 4 (NC4HW4) or C2."""
        if self.layout == "NC4HW4":
            return round_up(self.channels, 4)
        return self.shape[4] if self.layout == "NC1HWC2" else self.channels

    @property
    def batch(self) -> int:
        """Pictures in the buffer."""
        return self.shape[0] if self.layout == "NC1HWC2" or "N" in AXES.get(self.layout, "") else 1

    @property
    def size(self) -> tuple[int, int]:
        """(height, width)."""
        if self.layout == "NC1HWC2":
            return (self.shape[2], self.shape[3])
        dims = dims_of(self.layout, self.shape)
        if dims is None:
            raise ValueError(f"{self.layout} does not name the axes of {self.shape}")
        return (dims.h, dims.w)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return itemsize(self.dtype)

    @property
    def pitch(self) -> int:
        """Bytes from row to row (of a plane, where planar)."""
        return (self.w_stride or self.size[1]) * (1 if self.planar else self.stored) * self.itemsize

    @property
    def slot_bytes(self) -> int:
        """Bytes of one picture of the batch, row padding included."""
        return self.pitch * self.size[0] * (self.channels if self.planar else 1)

    @property
    def nbytes(self) -> int:
        """Bytes of the whole buffer."""
        return self.slot_bytes * self.batch


@dataclass(frozen=True, slots=True)
class Expected:
    """What should have been handed over.

    image: the decoded source, H x W x C uint8 in `color`, before any resize. pixels: after colour and resize, at the
    model's size, in `spec.color`: H x W x C, or N x H x W x C where the slots of a batch differ. buffer: the elements
    in the layout, without row padding; None = built from pixels and spec. handovers: other legal ways to hand the same
    picture over, tried before any fault. previous: (name, pixels) of earlier frames or of other images, like `pixels`.
    capacities: bytes that the memory may have where it is larger than the content (made for a wider native type).
    """

    image: Pixels
    color: str
    pixels: Pixels
    spec: BufferSpec
    buffer: Elements | None = None
    handovers: tuple[BufferSpec, ...] = ()
    previous: tuple[tuple[str, Pixels], ...] = ()
    capacities: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """One named fault with its parameters (names and keys: the vocabulary of faults that a buffer can show)."""

    name: str
    evidence: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """Measured difference in pixel steps (elements divided by the slope of the value map)."""

    max: float
    mean: float
    psnr: float  # dB, 255 as peak; inf where equal


@dataclass(frozen=True, slots=True)
class Effect:
    """How far the submitted buffer is from the expected one, and how much of the type's range it uses."""

    psnr: float  # dB against the expected elements, peak = span of the expected value map
    saturated: float  # share of integer codes at either end of the type; 0 for floats
    distinct: int  # number of distinct element values (of at most 65536 sampled elements)
    distinct_expected: int
    saturated_expected: float = 0.0  # the same share of the expected elements


@dataclass(frozen=True, slots=True)
class Explanation:
    """A chain of faults that re-creates the buffer. score: share of the elements that it re-creates."""

    faults: tuple[Fault, ...]
    score: float
    difference: Difference

    @property
    def names(self) -> tuple[str, ...]:
        """Names in the order in which they happened."""
        return tuple(f.name for f in self.faults)


Verdict: TypeAlias = Literal["ok", "fault", "not_explained", "cannot_tell"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The answer.

    verdict: `ok` (equal, or as another correct implementation would have it), `fault`, `not_explained`,
    `cannot_tell` (equal, but the picture could hardly show a fault).
    fault: the last fault in time, the first to undo. faults: all, in the order in which they happened.
    evidence: keys of the vocabulary; with several faults each one's parameters stand under its name and `faults` lists
    them. alternatives: other explanations that fit as well; the first fault stands for the class.
    handover: label of the hand-over that fits. implementation: the resizer that fits, where it was looked for.
    cannot_show: faults that would leave this picture as it is. notes: what else was measured, in plain words.
    """

    verdict: Verdict
    faults: tuple[Fault, ...] = ()
    score: float = 1.0
    difference: Difference | None = None
    alternatives: tuple[tuple[str, ...], ...] = ()
    cannot_show: tuple[str, ...] = ()
    handover: str = ""
    implementation: str | None = None
    correlation: float | None = None
    effect: Effect | None = None
    notes: tuple[str, ...] = ()

    @property
    def fault(self) -> str | None:
        """Name of the last fault in time, None where there is none."""
        return self.faults[-1].name if self.faults else None

    @property
    def evidence(self) -> dict[str, object]:
        """Parameters as the vocabulary names them."""
        if len(self.faults) == 1:
            return dict(self.faults[0].evidence)
        out: dict[str, object] = {f.name: dict(f.evidence) for f in self.faults}
        if self.faults:
            out["faults"] = [f.name for f in self.faults]
        return out
