"""How an RKNN input lies in the NPU's memory, from what rknn_query reports or, where it does not say, from the chip.

Standard library only. Pictures with 1, 3 or 4 channels stay NHWC with rows of w_stride pixels; everything else with
four axes is NC1HWC2, planes of C2 channels packed without padding. Source: RKNN API guide 1.5.2 §4.4 and table 4-6;
measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation, compile logs of rknn-toolkit2 2.5.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from prepcheck.core.dtypes import nbytes
from prepcheck.core.layouts import dims_of
from prepcheck.core.rockchip import c2, w_stride
from prepcheck.records import dataclass

PICTURE_CHANNELS: Final = frozenset({1, 3, 4})
"""Channels that are fed as NHWC rows on every chip."""
TWO_CHANNELS_NHWC: Final = frozenset({"rv1103", "rv1106", "rk2118"})
"""Chips on which two channels are NHWC too (measured; not rv1103b and rv1106b)."""


@dataclass(frozen=True, slots=True)
class NativeForm:
    """The native form of an input. shape in elements in the order of layout; w_stride in pixels (0: no rows).

    size: bytes, row padding included. pitched: rows are further apart than their pixels. stated: rknn_query or the plan
    says it; else it follows from the chip's tables.
    """

    layout: str
    shape: tuple[int, ...]
    dtype: str
    w_stride: int
    size: int
    stated: bool

    @property
    def factors(self) -> tuple[int, ...]:
        """Whole numbers whose product is `size`; the last is the width of an element in bytes."""
        width = nbytes(self.dtype, 1)
        axes = list(self.shape)
        if self.layout == "NHWC" and len(axes) == 4 and self.w_stride:
            axes[2] = self.w_stride
        return (*axes, width)

    @property
    def pitched(self) -> bool:
        """Whether rows lie further apart than their pixels."""
        return self.layout == "NHWC" and len(self.shape) == 4 and self.w_stride > self.shape[2]


def is_row_form(platform: str | None, channels: int) -> bool:
    """Whether a four-axis input with so many channels is fed as NHWC rows."""
    return channels in PICTURE_CHANNELS or (channels == 2 and platform in TWO_CHANNELS_NHWC)


def native_form(
    layout: str, shape: Sequence[int], dtype: str, platform: str | None, *, pitch: int | None = None
) -> NativeForm | None:
    """The native form that the chip's tables give. pitch: w_stride where rknn_query says it. None = not known."""
    dims = dims_of(layout, shape) if len(shape) == 4 else None
    if any(d <= 0 for d in shape):
        return None
    if dims is None:
        return NativeForm(layout, tuple(shape), dtype, 0, nbytes(dtype, prod(shape)), False)
    if is_row_form(platform, dims.c):
        stride = pitch or (w_stride(platform, dtype, dims.w) if platform else None)
        if stride is None or stride < dims.w:
            return None
        axes = (dims.n, dims.h, dims.w, dims.c)
        return NativeForm("NHWC", axes, dtype, stride, nbytes(dtype, dims.n * dims.h * stride * dims.c), bool(pitch))
    lanes = c2(platform, dtype) if platform else None
    if lanes is None:
        return None
    packed = (dims.n, -(-dims.c // lanes), dims.h, dims.w, lanes)
    return NativeForm("NC1HWC2", packed, dtype, dims.w, nbytes(dtype, prod(packed)), False)


def row_bytes(dtype: str, pixels: int, channels: int) -> int:
    """Bytes of so many pixels of one row."""
    return nbytes(dtype, pixels * channels)


def product(factors: Sequence[int]) -> str:
    """`1 x 400 x 800 x 3`: the factors as they are multiplied, a last 1 (one byte an element) left out."""
    shown = factors[:-1] if len(factors) > 1 and factors[-1] == 1 else factors
    return " x ".join(str(f) for f in shown)
