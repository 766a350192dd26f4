"""What MNN's copyFromHostTensor does with a host tensor of other sizes than the session input. Standard library only.

It compares nothing and returns true every time. Measured: MNN 3.6.1 on x86-64, input 1x3x8x10 in NCHW and NC4HW4; other
versions: alibaba/MNN#2420, #1134 (sizes in another order), source of CPUBackend::onCopyBuffer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from prepcheck.core.layouts import Dims, dims_of

CopyKind = Literal[
    "same", "same_count", "exchanged", "channels_last", "channels_first", "batch_more", "batch_less", "channels_more",
    "channels_less", "smaller", "larger",
]  # fmt: skip
"""same_count: another number of axes, the elements in the same order (right). exchanged: height and width in each other's
place. channels_last, channels_first: the sizes of the input in the other order, declared as what they are not."""


@dataclass(frozen=True, slots=True)
class CopyStory:
    """How the sizes compare. got, want: N, C, H, W as the two tensors declare them, or the shapes where they are not 4-D."""

    kind: CopyKind
    got: tuple[int, ...]
    want: tuple[int, ...]

    @property
    def right(self) -> bool:
        """Whether every element arrives in its place."""
        return self.kind in ("same", "same_count")

    @property
    def got_elements(self) -> int:
        """Elements of the host tensor, without padding."""
        return prod(self.got)

    @property
    def want_elements(self) -> int:
        """Elements of the input, without padding."""
        return prod(self.want)


def copy_story(
    host_layout: str | None, host_shape: Sequence[int], layout: str | None, shape: Sequence[int]
) -> CopyStory | None:
    """The comparison; None where an axis is dynamic or nothing can be said of the order of the axes."""
    if any(d <= 0 for d in (*host_shape, *shape)):
        return None
    got, want = _dims(host_layout, host_shape), _dims(layout, shape)
    if got is None or want is None:
        return _flat(tuple(host_shape), tuple(shape))
    g, w = (got.n, got.c, got.h, got.w), (want.n, want.c, want.h, want.w)
    return CopyStory(_kind(got, want), g, w)


def _dims(layout: str | None, shape: Sequence[int]) -> Dims | None:
    if len(shape) != 4:
        return None
    return dims_of(layout or "NCHW", shape)


def _flat(got: tuple[int, ...], want: tuple[int, ...]) -> CopyStory:
    """Shapes that are not both 4-D: MNN copies in order, so equal counts in equal order are right."""
    plain_got, plain_want = ([d for d in s if d != 1] for s in (got, want))
    if got == want:
        return CopyStory("same", got, want)
    if plain_got == plain_want or (prod(got) == prod(want) and sorted(plain_got) != sorted(plain_want)):
        return CopyStory("same_count", got, want)
    if sorted(plain_got) == sorted(plain_want):
        return CopyStory("exchanged", got, want)
    return CopyStory("larger" if prod(got) > prod(want) else "smaller", got, want)


def _kind(got: Dims, want: Dims) -> CopyKind:
    g, w = (got.n, got.c, got.h, got.w), (want.n, want.c, want.h, want.w)
    if g == w:
        return "same"
    if [d for d in g if d != 1] == [d for d in w if d != 1]:
        return "same_count"
    if g == (want.n, want.c, want.w, want.h):
        return "exchanged"
    if g == (want.n, want.h, want.w, want.c):
        return "channels_last"
    if g == (want.n, want.w, want.c, want.h):
        return "channels_first"
    if g[1:] == w[1:]:
        return "batch_more" if got.n > want.n else "batch_less"
    if (got.n, got.h, got.w) == (want.n, want.h, want.w):
        return "channels_more" if got.c > want.c else "channels_less"
    return "larger" if any(a > b for a, b in zip(g, w, strict=True)) else "smaller"
