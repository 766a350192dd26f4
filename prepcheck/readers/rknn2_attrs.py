"""From a tensor table to what rknn_query reports, attribute by attribute.

Source of the rules: 270 of 309 models agree with librknnrt 1.5.2 (full containers of rk3562, rk3566/68, rk3588) or
librknnmrt 2.3.2 (mini containers), run under emulation, in every attribute; the other 39 have no runtime that could be
run (rk3576, rv1126b, RKNN1), are refused by it, or make it answer nonsense (6-D, INT16 in 1.5.2).
"""

from __future__ import annotations

from math import prod
from typing import cast

from prepcheck.contract.base import Dtype, Layout
from prepcheck.contract.contract import Native, Source, Tensor
from prepcheck.core.affine import value_range
from prepcheck.core.dtypes import BITS, is_quantizable, nbytes
from prepcheck.core.float32 import seven_digits, shortest
from prepcheck.readers.provenance import FILE
from prepcheck.readers.rknn2_generator import Origin
from prepcheck.readers.rknn2_graph import Norm, RawTensor
from prepcheck.readers.rknn2_layout import NativeLayout, native_layout
from prepcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class Reported:
    """What the JSON in root string 12 or 13 says of a tensor; None where there is none (mini containers)."""

    layout: str | None = None
    dtype: str | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What all tensors of a model share. batch: rknn_batch_size; platform: for the stride rule; mini: the container."""

    batch: int
    platform: str | None
    mini: bool


@dataclass(frozen=True, slots=True)
class Described:
    """A tensor of the contract, and what the notes are made from."""

    tensor: Tensor
    raw: RawTensor
    native: NativeLayout


def describe_input(
    index: int,
    raw: RawTensor,
    reported: Reported,
    norm: Norm | None,
    origin: Origin,
    shapes: tuple[tuple[int, ...], ...],
    setting: Setting,
) -> Described:
    """Input number `index` as RKNN_QUERY_INPUT_ATTR and _NATIVE_INPUT_ATTR report it."""
    known = reported.layout in ("NHWC", "NCHW", "UNDEFINED")
    layout = reported.layout if known and reported.layout else ("NHWC" if len(raw.dims) == 4 else "UNDEFINED")
    if len(raw.dims) != 4:
        layout = "UNDEFINED"
    dtype = reported.dtype if reported.dtype in BITS else raw.dtype
    shape = _reported_shape(raw.dims, layout, setting.batch)
    size = nbytes(dtype or raw.dtype, prod(shape))
    native = native_layout(raw, setting.batch, setting.platform, setting.mini)
    with_stride, with_stride_from = raw.nbytes * setting.batch or None, FILE
    if setting.mini and native.layout != "NHWC":
        with_stride, with_stride_from = size, "rule:RK-MINI-SIZE"
    channels = raw.dims[1] if len(raw.dims) >= 2 else None
    values: dict[str, object] = {
        "layout": layout,
        "shape": shape,
        "dtype": dtype,
        "size": size,
        "w_stride": native.w_stride,
        "size_with_stride": with_stride,
        "mean": list(norm.mean[:channels]) if norm and norm.mean else None,
        "std": list(norm.std[:channels]) if norm and norm.std else None,
        "rgb2bgr": origin.rgb2bgr,
        "dynamic": [_reported_shape(s, layout, setting.batch) for s in shapes] or None,
    }
    origins = {
        "layout": FILE if known else "rule:RK-NHWC-REPORTED",
        "shape": FILE if known else "rule:RK-NHWC-REPORTED",
        "w_stride": native.stride_from,
        "size_with_stride": with_stride_from,
    }
    return Described(_tensor(index, raw, values, origins, native, origin), raw, native)


def describe_output(
    index: int,
    raw: RawTensor,
    reported: Reported,
    origin: Origin,
    shapes: tuple[tuple[int, ...], ...],
    setting: Setting,
) -> Described:
    """Output number `index` as RKNN_QUERY_OUTPUT_ATTR reports it.

    size_with_stride of full containers is a number of the runtime that the file does not hold: None.
    """
    layout = "NCHW" if len(raw.dims) == 4 else "UNDEFINED"
    dtype = reported.dtype if reported.dtype in BITS else raw.dtype
    shape = _reported_shape(raw.dims, layout, setting.batch)
    size = nbytes(dtype or raw.dtype, prod(shape))
    native = native_layout(raw, setting.batch, setting.platform, setting.mini)
    values: dict[str, object] = {
        "layout": layout,
        "shape": shape,
        "dtype": dtype,
        "size": size,
        "w_stride": 0,
        "size_with_stride": size if setting.mini else None,
        "dynamic": [_reported_shape(s, layout, setting.batch) for s in shapes] or None,
    }
    origins = {
        "layout": "rule:RK-NCHW-OUTPUT",
        "shape": "rule:RK-NCHW-OUTPUT",
        "w_stride": "rule:RK-OUT-WSTRIDE",
        "size_with_stride": "rule:RK-MINI-SIZE",
    }
    return Described(_tensor(index, raw, values, origins, native, origin, output=True), raw, native)


def _reported_shape(dims: tuple[int, ...], layout: str, batch: int) -> list[int]:
    """The model's dims in the reported order, the first axis times the batch."""
    axes = list(dims)
    if layout == "NHWC" and len(axes) == 4:
        axes = [axes[0], axes[2], axes[3], axes[1]]
    return [axes[0] * batch, *axes[1:]] if axes else []


def _tensor(
    index: int,
    raw: RawTensor,
    values: dict[str, object],
    origins: dict[str, str],
    native: NativeLayout,
    origin: Origin,
    output: bool = False,
) -> Tensor:
    """The contract's tensor: what inputs and outputs have in common joins `values`; None values leave no provenance."""
    quantized = raw.scale is not None and is_quantizable(raw.dtype) and values["dtype"] != "bool"
    scale = raw.scale if quantized and raw.scale else None  # a scale of 0 says nothing
    zero_point = raw.zero_point if scale is not None else None
    calibration = origin.calibration or (raw.limits if quantized else None)
    values |= {
        "name": raw.name,
        "scheme": "affine" if quantized else "none",
        "scale": scale,
        "zero_point": zero_point,
        "calibration_range": [shortest(v) for v in calibration] if calibration else None,
    }
    span = value_range(raw.dtype, scale, zero_point) if scale is not None and zero_point is not None else None
    values["value_range"] = [seven_digits(v) for v in span] if span else None
    origins = {"size": "rule:SZ-PACKED", "value_range": "rule:QT-RANGE"} | origins
    provenance = {key: origins.get(key, FILE) for key, value in values.items() if value is not None}
    image = len(raw.dims) == 4
    source_layout = (origin.layout or "NCHW") if image else "UNDEFINED"
    if image and origin.layout is None:
        provenance["source.layout"] = "rule:RK-SOURCE-NCHW"
    fields = values | {
        "index": index,
        "source": Source.made(
            layout=cast(Layout, source_layout), shape=list(raw.dims), dtype=cast("Dtype | None", origin.dtype)
        ),
        "native": _native(raw, native, output),
        "provenance": provenance,
    }
    return Tensor.made(**fields)


def _native(raw: RawTensor, native: NativeLayout, output: bool) -> Native | None:
    """RKNN_QUERY_NATIVE_*_ATTR. Outputs: bytes of the native shape, since old toolkits stored another number there."""
    if native.layout is None:
        return None
    size = native.size_with_stride
    if output and native.computed is not None:
        size = native.computed
    return Native.made(
        layout=cast(Layout, native.layout),
        shape=native.shape,
        dtype=cast(Dtype, raw.dtype),
        w_stride=native.w_stride,
        size_with_stride=size,
    )
