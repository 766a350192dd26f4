"""Bytes as the network gets them: what is read of them, as values, and the map that would be right.

Two sources of bytes: those of --buffer, and those that the plan's steps make. Both are read as the runtime is told to read
them (type, layout, pitch, pass_through), which is where many faults show.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from prepcheck.contract.calls import CopyFromHost, HostWrite
from prepcheck.core.dtypes import integer_range
from prepcheck.core.layouts import dims_of, shape_in
from prepcheck.core.packing import pack_nc4hw4
from prepcheck.facts.base import NotApplicable, Unstated, things
from prepcheck.facts.handover import HandoverThing
from prepcheck.facts.path_values import trained_values
from prepcheck.forensics.model import BufferSpec, Pixels
from prepcheck.forensics.values import expected_map
from prepcheck.forensics.views import expected_view

if TYPE_CHECKING:
    from prepcheck.contract.contract import Tensor
    from prepcheck.contract.plan import Training
    from prepcheck.facts.world import World

Floats = NDArray[np.float32]
Row = NDArray[np.float64]
"""One number per channel."""
_LAST = ("NHWC", "HWC")
_FIRST = ("NCHW", "CHW")


@dataclass(frozen=True, slots=True)
class ValueScale:
    """value = a · pixel + b, per channel: what the network should get for pixels 0..255. held: what its codes can hold
    (None: not known, or no codes); step: distance of two codes. in_network: values are after the model's own mean and std.
    settled: it is stated how values are to be normalised; where not, what the codes hold decides nothing."""

    a: Row
    b: Row
    held: tuple[float, float] | None
    step: float | None
    in_network: bool
    settled: bool = True

    def values(self, pixels: NDArray[np.generic]) -> Floats:
        """H x W x C pixels → values."""
        found: Floats = pixels.astype(np.float32) * _single(self.a) + _single(self.b)
        return found

    def pixels(self, values: Floats) -> Floats:
        """Values → pixel steps, as the network takes them: what no code holds becomes the nearest that one does."""
        kept = values if self.held is None or not self.settled else np.clip(values, *self.held)
        found: Floats = (kept - _single(self.b)) / _single(self.a)
        return found


def _single(row: Row | np.float64) -> Floats:
    return np.asarray(row, np.float32)


def value_scale(spec: BufferSpec, tensor: Tensor, training: Training | None, settled: bool = True) -> ValueScale:
    """The right map: of training where it is stated, else what a right hand-over of this form would give."""
    channels = spec.channels
    in_network = spec.scale is not None or spec.model_mean is not None
    a, b = np.ones(channels), np.zeros(channels)
    trained = trained_values(training) if training is not None else None
    if in_network and trained is not None and len(trained.a) in (1, channels):
        a, b = _row(trained.a, channels), _row(trained.b, channels)
    else:
        applied = [(spec.mean, spec.std)]
        if spec.scale is None:  # to codes the model applies nothing
            applied.append((spec.model_mean, spec.model_std))
        for mean, std in applied:
            if mean is not None and std is not None and 0 not in std:
                a, b = a / _row(std, channels), (b - _row(mean, channels)) / _row(std, channels)
    usable = bool(np.all(np.isfinite(a)) and np.all(np.isfinite(b)) and np.all(a != 0))
    held = (tensor.value_range[0], tensor.value_range[1]) if tensor.value_range and in_network else None
    step = tensor.scale if tensor.scale else 2.0**-tensor.fl if tensor.fl is not None else None
    if not usable:
        a, b = np.ones(channels), np.zeros(channels)
    return ValueScale(a, b, held, step if held is not None else None, in_network, settled or trained is not None)


def _row(values: tuple[float, ...] | list[float], channels: int) -> Row:
    given = np.asarray(values, np.float64)
    return np.repeat(given, channels) if given.size == 1 else np.resize(given, channels)


def values_read(spec: BufferSpec, data: Pixels, step: int = 1) -> Floats:
    """The first picture of a buffer, H x W x C values as the network gets them; NaN where the buffer ends before.

    step: only every so many rows and columns.
    """
    single = replace(spec, shape=(1, *spec.shape[1:])) if spec.batch > 1 else spec
    found, rows = expected_view(single).read(data)
    values = found[::step, ::step].astype(np.float32)
    for channel, held in enumerate(rows):
        values[-(-held // step) :, :, channel] = np.nan
    if spec.scale is not None:
        return (values - _single(np.float64(spec.zero_point))) * _single(np.float64(spec.scale))
    if spec.model_mean is not None and spec.model_std is not None:
        std = _row(spec.model_std, spec.channels)
        mean = _single(_row(spec.model_mean, spec.channels))
        return (values - mean) / _single(np.where(std == 0, np.nan, std))
    return values


def made(pixels: Pixels, spec: BufferSpec) -> Pixels:
    """The bytes that a right program writes for pixels H x W x C at the model's size: type, layout and pitch of `spec`."""
    table = expected_map(spec).table
    real = np.stack([table[c][pixels[..., c]] for c in range(spec.channels)], axis=2)
    dtype = np.dtype(spec.dtype if spec.dtype != "bfloat16" else "float32")
    values = real.astype(dtype)
    height, width = values.shape[:2]
    stride = spec.w_stride or width
    if spec.layout in _FIRST:
        memory = np.zeros((spec.channels, height, stride), dtype)
        memory[:, :, :width] = np.moveaxis(values, -1, 0)
    elif spec.layout == "NC4HW4":
        memory = pack_nc4hw4(np.ascontiguousarray(np.moveaxis(values, -1, 0))[None])
    else:
        memory = np.zeros((height, stride, spec.stored), dtype)
        memory[:, :width, : spec.channels] = values
    return np.ascontiguousarray(memory).reshape(-1).view(np.uint8)


class NothingArrives(Exception):
    """The call brings nothing into the input that could be shown. `template` says why."""

    def __init__(self, template: str) -> None:
        super().__init__(template)
        self.template = template


def _(text: str) -> str:
    """Marks a template for the catalogue; the page translates it."""
    return text


def told(world: World, position: int, spec: BufferSpec) -> BufferSpec:
    """How the runtime reads what is handed over: `spec` with the type, layout, pitch and codes that the calls state.

    Raises NothingArrives where the call copies nothing.
    """
    thing = next(
        (t for t in things(world, "handover") if isinstance(t, HandoverThing) and t.handover.input == position), None
    )
    if thing is None:
        return spec
    tensor, call = thing.input.tensor, thing.stated_call
    if isinstance(call, CopyFromHost):
        if call.host is not None and getattr(call.host, "dtype", None) not in (None, tensor.dtype):
            raise NothingArrives(
                _("The call copies nothing into the input (its type differs): what the network sees is undefined.")
            )
        return _as(spec, spec.dtype, _stated(lambda: thing.declared_layout) or spec.layout)
    if isinstance(call, HostWrite):
        if world.runtime == "mnn" and world.backend not in (None, "cpu"):
            raise NothingArrives(
                _(
                    "On a GPU session nothing that is written through host() is read: what the network sees is undefined."
                )
            )
        return _as(spec, tensor.dtype or spec.dtype, tensor.layout or spec.layout)
    if thing.api not in ("rknn_inputs_set", "rknn_set_io_mem"):
        return spec
    dtype = _stated(lambda: thing.declared_dtype) or spec.dtype
    layout = _stated(lambda: thing.declared_layout) or spec.layout
    if thing.pass_through:
        native = tensor.native
        dtype = (native.dtype if native else None) or tensor.dtype or dtype
        layout = (native.layout if native else None) or tensor.layout or layout
    read = _as(spec, dtype, layout)
    if thing.api == "rknn_set_io_mem" and not read.planar:
        binding = thing.handover.binding
        pitch = (binding.set_io_mem.w_stride if binding else None) or tensor.w_stride
        read = replace(read, w_stride=pitch if pitch not in (None, read.size[1]) else None)
    codes = bool(thing.pass_through) or dtype in ("int8", "int16")
    if codes and tensor.scale and integer_range(dtype) is not None:
        return replace(read, scale=tensor.scale, zero_point=tensor.zero_point or 0, model_mean=None, model_std=None)
    return read


def _stated(ask: object) -> str | None:
    try:
        return str(ask()) if callable(ask) else None
    except (Unstated, NotApplicable):
        return None


def _as(spec: BufferSpec, dtype: str, layout: str) -> BufferSpec:
    """The same picture in another type and layout; a layout that cannot be a picture's leaves it as it is."""
    if layout == spec.layout:
        return replace(spec, dtype=dtype)
    dims = dims_of(spec.layout, spec.shape)
    shape: tuple[int, ...] | None = None
    if dims is not None and layout in ("NHWC", "NCHW", "NC4HW4"):
        shape = (dims.n, dims.c, dims.h, dims.w) if layout != "NHWC" else (dims.n, dims.h, dims.w, dims.c)
    elif dims is not None:
        shape = shape_in(layout, dims)
    if shape is None or layout not in (*_LAST, *_FIRST, "NC4HW4"):
        return replace(spec, dtype=dtype)
    return replace(spec, dtype=dtype, layout=layout, shape=tuple(shape))
