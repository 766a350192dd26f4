"""What a hand-over should give, what it gives, and which one cause explains the difference in bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prepcheck.core.dtypes import BITS, itemsize
from prepcheck.core.layouts import AXES, dims_of, round_up, without_ones
from prepcheck.records import dataclass

PITCHES = (8, 16, 32, 64, 128, 256)
"""Pixels to which producers pad rows: NPUs 8 and 16, RGA 16, decoders up to 256 (MPP on RK3588)."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the receiving side reads: shape in `layout`, element type, bytes (padding of packed layouts included)."""

    shape: tuple[int, ...]
    layout: str
    dtype: str
    nbytes: int

    @property
    def elements(self) -> int:
        """Elements, packing included."""
        return self.nbytes * 8 // BITS[self.dtype]


@dataclass(frozen=True, slots=True)
class SizeStory:
    """Why the bytes given are not the bytes wanted.

    kind: fits · surplus (the memory is larger, its content fits) · element (another element type) · batch · rows (padded
    rows) · packing (NC4HW4) · channels · axis (one axis is short or long) · picture (another resolution).
    given, of: of the kind's own unit: images, channels, elements of the axis, pixels of a row. axis: which one.
    """

    kind: str
    got: int
    want: int
    wanted: Wanted
    given: int = 0
    of: int = 0
    axis: int = 0
    dtype: str | None = None
    shape: tuple[int, ...] | None = None

    @property
    def factor(self) -> float:
        """Wanted over given, or given over wanted, whichever is larger."""
        small, large = sorted((self.got, self.want))
        return large / small if small else 0.0

    @property
    def got_elements(self) -> int:
        """Elements of the wanted type that the given bytes are."""
        return self.got * 8 // BITS[self.wanted.dtype]


def story(
    got: int,
    wanted: Wanted,
    *,
    shape: Sequence[int] | None,
    dtype: str | None,
    content: int | None,
    pitch: int | None,
    packs: bool = False,
) -> SizeStory:
    """The cause of a difference, the surest first.

    shape, dtype: of what is given, where stated. content: bytes that they make. pitch: row pitch of the input in pixels.
    packs: whether the runtime packs channels in fours (MNN).
    """
    given_shape = tuple(shape) if shape is not None else None

    def told(kind: str, given: int = 0, of: int = 0, axis: int = 0) -> SizeStory:
        return SizeStory(kind, got, wanted.nbytes, wanted, given, of, axis, dtype, given_shape)

    if got == wanted.nbytes:
        return told("fits")
    if got > wanted.nbytes and content == wanted.nbytes:
        return told("surplus")
    for kind, given, of, axis in _causes(got, wanted, given_shape, dtype, pitch, packs):
        return told(kind, given, of, axis)
    return told("picture")


Cause = tuple[str, int, int, int]


def _causes(
    got: int, wanted: Wanted, shape: tuple[int, ...] | None, dtype: str | None, pitch: int | None, packs: bool
) -> Iterator[Cause]:
    want = wanted.nbytes
    width = BITS[wanted.dtype]
    if dtype is not None and BITS[dtype] != width and got * width == want * BITS[dtype]:
        yield "element", BITS[dtype] // 8, width // 8, 0
    yield from _batch(got, wanted, shape)
    if _other_channels(wanted, shape):
        yield from _channels(got, wanted)  # 4 for 3 channels is also rows padded by a third, and NC4HW4
    if packs or wanted.layout == "NC4HW4":
        yield from _packing(got, wanted)
    yield from _rows(got, wanted, shape, pitch)
    yield from _channels(got, wanted)
    if dtype is None:
        for ratio in (2, 4, 8):
            if got * ratio == want:
                yield "element", max(width // 8 // ratio, 1), width // 8, 0
    yield from _axis(got, wanted, shape)


def _batch(got: int, wanted: Wanted, shape: tuple[int, ...] | None) -> Iterator[Cause]:
    count = wanted.shape[0] if len(wanted.shape) > 1 else 1
    if count > 1 and got % (wanted.nbytes // count) == 0 and 0 < got < wanted.nbytes:
        yield "batch", got // (wanted.nbytes // count), count, 0
    elif shape is not None and len(shape) == len(wanted.shape) and shape[0] != count and shape[1:] == wanted.shape[1:]:
        yield "batch", shape[0], count, 0


def _packing(got: int, wanted: Wanted) -> Iterator[Cause]:
    channels = wanted.shape[1] if len(wanted.shape) >= 2 and wanted.layout in ("NC4HW4", "NCHW") else 0
    if channels % 4 == 0:
        return
    padded = round_up(channels, 4)
    if wanted.layout == "NC4HW4" and got * padded == wanted.nbytes * channels:
        yield "packing", channels, padded, 1
    elif wanted.layout == "NCHW" and got * channels == wanted.nbytes * padded:
        yield "packing", padded, channels, 1


def _rows(got: int, wanted: Wanted, shape: tuple[int, ...] | None, pitch: int | None) -> Iterator[Cause]:
    dims = dims_of(wanted.layout, wanted.shape)
    if dims is None or wanted.layout not in ("NHWC", "HWC") or BITS[wanted.dtype] % 8:
        return
    column = dims.n * dims.h * dims.c * itemsize(wanted.dtype)
    pitches = {pitch or dims.w, *(round_up(dims.w, p) for p in PITCHES)}
    if got % column == 0 and got // column in pitches and got // column > dims.w:
        yield "rows", got // column, dims.w, 2


def _other_channels(wanted: Wanted, shape: tuple[int, ...] | None) -> bool:
    """Whether the shape given is the wanted one but for the channels."""
    axes = AXES.get(wanted.layout, "")
    if shape is None or "C" not in axes or len(axes) != len(wanted.shape) or wanted.layout == "NC4HW4":
        return False
    given = (1, *shape) if len(shape) == len(axes) - 1 else shape
    if len(given) != len(axes):
        return False
    return all((g == w) != (a == "C") for a, g, w in zip(axes, given, wanted.shape, strict=True))


def _channels(got: int, wanted: Wanted) -> Iterator[Cause]:
    dims = dims_of(wanted.layout, wanted.shape)
    if dims is None or dims.c not in (1, 3, 4):
        return
    for count in (1, 2, 3, 4):
        if count != dims.c and got * dims.c == wanted.nbytes * count:
            yield "channels", count, dims.c, 0


def _axis(got: int, wanted: Wanted, shape: tuple[int, ...] | None) -> Iterator[Cause]:
    """One axis of a tensor that is no picture has another length."""
    dims = dims_of(wanted.layout, wanted.shape)
    if dims is not None and len(wanted.shape) == 4 and dims.c in (1, 3, 4):
        return
    if shape is not None:
        a, b = without_ones(shape), without_ones(wanted.shape)
        if len(a) == len(b):
            differing = [i for i in range(len(a)) if a[i] != b[i]]
            if len(differing) == 1:
                yield "axis", a[differing[0]], b[differing[0]], wanted.shape.index(b[differing[0]])
        return
    for axis in sorted(range(len(wanted.shape)), key=lambda i: -wanted.shape[i]):
        length = wanted.shape[axis]
        if length > 1 and got % (wanted.nbytes // length) == 0:
            yield "axis", got // (wanted.nbytes // length), length, axis
