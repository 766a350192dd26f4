"""How the NPU lays a tensor out, from what its table says: native layout, row pitch, bytes. Source: measured, as rknn2_attrs."""

from __future__ import annotations

from math import prod

from prepcheck.core.dtypes import nbytes
from prepcheck.core.layouts import round_up
from prepcheck.core.rockchip import w_stride as stride_by_rule
from prepcheck.readers.provenance import FILE
from prepcheck.readers.rknn2_graph import RawTensor
from prepcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class NativeLayout:
    """layout and shape as RKNN_QUERY_NATIVE_INPUT_ATTR gives them, batch included; None where the table makes no sense.

    w_stride: pixels, 0 for tensors without rows, None where no rule is known; stride_from: its provenance.
    size_with_stride: bytes of the native tensor. computed: bytes that rows, pitch and channels make (None: no rows).
    """

    layout: str | None
    shape: list[int] | None
    w_stride: int | None
    stride_from: str
    size_with_stride: int | None
    size_from: str
    computed: int | None


def native_layout(raw: RawTensor, batch: int, platform: str | None, mini: bool) -> NativeLayout:
    """The native layout of an input or output of a full or a mini container."""
    layout = _layout(raw)
    if layout is None or not raw.native:
        return NativeLayout(None, None, None, FILE, None, FILE, None)
    axes = list(raw.native)
    if layout == "NHWC" and len(axes) == 5:  # [N, 1, H, W, C] in the file
        del axes[1]
    shape = [axes[0] * batch, *axes[1:]]
    packed = nbytes(raw.dtype, prod(shape))
    if layout not in ("NHWC", "NC1HWC2"):
        pitch, size, size_from = (shape[3] if layout == "NCHW" else 0), packed, "rule:RK-NATIVE-SIZE"
        if mini and raw.nbytes:  # the NATIVE query of a mini has the stored number
            size, size_from = raw.nbytes, FILE
        return NativeLayout(layout, shape, pitch, "rule:RK-WSTRIDE-NONE", size, size_from, None)
    if layout == "NC1HWC2":
        return NativeLayout(layout, shape, shape[3], FILE, raw.nbytes * batch or None, FILE, packed)
    width = shape[2]
    stride, stride_from = _row(raw, width, platform, mini)
    computed = None if stride is None else packed // width * stride
    return NativeLayout(layout, shape, stride, stride_from, raw.nbytes * batch or None, FILE, computed)


def _layout(raw: RawTensor) -> str | None:
    """Layout 64 means NHWC with padded rows or NC1HWC2: the alignment field tells, else one block of up to 4 channels."""
    if raw.layout == 64:
        if len(raw.native) != 5:
            return None
        channels = raw.dims[1] if len(raw.dims) == 4 else None
        one_block = raw.native[1] == 1
        if one_block and (raw.strided or (raw.native[4] == channels and channels <= 4)):
            return "NHWC"
        return "NC1HWC2"
    if raw.layout in (1, 2):
        return {1: "NHWC", 2: "NCHW"}[raw.layout] if len(raw.native) == 4 else None
    return "UNDEFINED" if raw.layout == 0 else None


def _row(raw: RawTensor, width: int, platform: str | None, mini: bool) -> tuple[int | None, str]:
    """Row pitch in pixels of a native NHWC tensor and where it comes from. Full containers store the alignment."""
    if raw.alignment:
        return round_up(width, raw.alignment), FILE
    if mini and raw.strided:
        return (stride_by_rule(platform, raw.dtype, width) if platform else None), "rule:RK-WSTRIDE"
    return width, "rule:RK-WSTRIDE-NONE"
