"""Axes and sizes of the layouts: which axis is which, how many elements a packed layout holds.

Layouts: NCHW NHWC NC4HW4 NC1HWC2 HWC CHW HW UNDEFINED. A tensor in NC4HW4 is stated with its logical NCHW shape (its
packed form has the axes C/4, N, H, W, 4); NC1HWC2 is stated with its five packed axes [N, C1, H, W, C2].
Standard library only.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from prepcheck.records import dataclass

AXES: Final[dict[str, str]] = {"NCHW": "NCHW", "NC4HW4": "NCHW", "NHWC": "NHWC", "HWC": "HWC", "CHW": "CHW", "HW": "HW"}
"""Letters of the logical axes, in order, of every layout that names them."""

CHANNELS_FIRST: Final = frozenset({"NCHW", "CHW", "NC4HW4"})
CHANNELS_LAST: Final = frozenset({"NHWC", "HWC"})


@dataclass(frozen=True, slots=True)
class Dims:
    """Logical sizes of an image-like tensor: batch, channels, height, width."""

    n: int
    c: int
    h: int
    w: int

    @property
    def elements(self) -> int:
        """Elements without any padding."""
        return self.n * self.c * self.h * self.w


def dims_of(layout: str, shape: Sequence[int]) -> Dims | None:
    """N, C, H, W of a shape in `layout`; missing axes are 1. None where the layout does not name as many axes.

    For NC1HWC2 the channels are C1·C2, padding included (the logical number is not in the shape).
    """
    if layout == "NC1HWC2":
        return Dims(shape[0], shape[1] * shape[4], shape[2], shape[3]) if len(shape) == 5 else None
    axes = AXES.get(layout)
    if axes is None or len(axes) != len(shape):
        return None
    at = dict(zip(axes, shape, strict=True))
    return Dims(at.get("N", 1), at.get("C", 1), at["H"], at["W"])


def shape_in(layout: str, dims: Dims) -> tuple[int, ...] | None:
    """The shape of `dims` in another layout; None for UNDEFINED and NC1HWC2 (needs C2), or where an axis would be lost."""
    axes = AXES.get(layout)
    if axes is None or ("N" not in axes and dims.n != 1) or ("C" not in axes and dims.c != 1):
        return None
    at = {"N": dims.n, "C": dims.c, "H": dims.h, "W": dims.w}
    return tuple(at[a] for a in axes)


def elements(layout: str, shape: Sequence[int]) -> int:
    """Elements that memory in `layout` holds for `shape`, channel padding of NC4HW4 included.

    NC4HW4 of rank other than 4 pads axis 1 as MNN does (Tensor::size rounds dimension 1 up to 4).
    """
    if layout == "NC4HW4" and len(shape) >= 2:
        return int(prod(shape[:1]) * round_up(shape[1], 4) * prod(shape[2:]))
    return int(prod(shape))


def round_up(value: int, step: int) -> int:
    """The next multiple of `step` at or above `value`."""
    return -(-value // step) * step


def is_static(shape: Sequence[int]) -> bool:
    """Whether no axis is dynamic (−1) or empty."""
    return all(d > 0 for d in shape)


def without_ones(shape: Sequence[int]) -> tuple[int, ...]:
    """The axes that matter for the order of the elements: all that are longer than 1."""
    return tuple(d for d in shape if d != 1)


def same_bytes(one: str, other: str, dims: Dims) -> bool:
    """Whether two plain layouts put the elements of `dims` in the same order (one channel, or one pixel: they do)."""
    first, second = AXES.get(one), AXES.get(other)
    if first is None or second is None:
        return one == other
    size = {"N": 1, "C": dims.c, "H": dims.h, "W": dims.w}
    return [a for a in first if size[a] != 1] == [a for a in second if size[a] != 1]
