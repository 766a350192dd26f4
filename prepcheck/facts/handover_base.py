"""Facts about one hand-over: what is given, and what the runtime is told of it."""

from __future__ import annotations

from functools import cached_property

from prepcheck.contract.calls import CopyFromHost, HostTensor, HostWrite, ImageProcessConvert, Inference, SetInput
from prepcheck.contract.plan import Buffer
from prepcheck.core.dtypes import nbytes
from prepcheck.core.layouts import Dims, dims_of
from prepcheck.facts.base import NotApplicable, Thing, Unstated
from prepcheck.facts.flow import Flow, Handover, MemoryState, content_name
from prepcheck.facts.model import InputThing
from prepcheck.facts.path import PathThing, steps_for
from prepcheck.facts.world import ArrayFacts, World
from prepcheck.pixels.chain import State

DIMENSION_TYPES = {"CAFFE": "NCHW", "TENSORFLOW": "NHWC", "CAFFE_C4": "NC4HW4"}
"""MNN's dimension types as layouts. Source: MNN Tensor.hpp, enum DimensionType."""


class HandoverBase(Thing):
    """Bytes that reach one model input. `name` is the api: rules may be over `handover:rknn_inputs_set`."""

    def __init__(self, world: World, handover: Handover, found: Flow) -> None:
        super().__init__(
            world, f"calls[{handover.call}]" if handover.call < len(found.moments) else f"inputs[{handover.input}]"
        )
        self.about = f"inputs[{handover.input}]"
        self.name = handover.api
        self.handover = handover
        self.flow = found

    # -- the two ends

    @property
    def api(self) -> str:
        """Name of the call."""
        return self.handover.api

    @cached_property
    def input(self) -> InputThing:
        """The model input."""
        contract = self.world.contract
        if contract is None or self.handover.input >= len(contract.inputs):
            raise NotApplicable
        return InputThing(self.world, contract.inputs[self.handover.input], self.handover.input)

    @property
    def label(self) -> str:
        """The input's name."""
        return self.input.label

    @property
    def pass_through(self) -> int:
        """0 or 1; 0 where the call does not say."""
        h = self.handover
        if h.rknn_input is not None:
            return int(h.rknn_input.pass_through or 0)
        if h.binding is not None:
            return int(h.binding.set_io_mem.pass_through or 0)
        call = self._call
        if isinstance(call, Inference) and call.pass_through:
            value = call.pass_through
            return (
                int(value[h.item or 0]) if isinstance(value, list) and (h.item or 0) < len(value) else int(bool(value))
            )
        return 0

    # -- what is given

    @cached_property
    def declared_buffer(self) -> Buffer | None:
        """The entry of `buffers`, where there is one."""
        name = self.handover.buffer
        return self.world.plan.buffers.get(name) if self.world.plan and name else None

    @property
    def array(self) -> ArrayFacts | None:
        """What the buffer's file says."""
        return self.world.arrays.get(self.source_name or "") or self.world.arrays.get(self.handover.buffer or "")

    @property
    def memory(self) -> MemoryState:
        """State of the memory when its bytes count."""
        if self.handover.memory is None:
            raise NotApplicable
        return self.handover.memory

    @property
    def source_name(self) -> str | None:
        """The buffer whose content it is: what was copied into bound memory, else the buffer itself."""
        return content_name(self.handover)

    @property
    def content(self) -> Buffer | None:
        """The declared buffer whose content it is."""
        name = self.source_name
        return self.world.plan.buffers.get(name) if self.world.plan and name else None

    @cached_property
    def given_nbytes(self) -> int:
        """Bytes that the call says it gives (its size, else the buffer's)."""
        h, call = self.handover, self._call
        size = None
        if h.rknn_input is not None:
            size = h.rknn_input.size
        elif h.binding is not None:
            size = h.memory.size if h.memory and h.memory.size is not None else h.binding.set_io_mem.size
        elif isinstance(call, (HostWrite, SetInput)):
            size = call.size
        elif isinstance(call, CopyFromHost) and call.host and call.host.fill:
            size = call.host.fill.size
        if size is None and self.declared_buffer is not None:
            size = self.declared_buffer.size
        if size is None and self.array is not None:
            size = self.array.nbytes
        if size is None and self.content_shape_or_none and self.content_dtype_or_none:
            size = nbytes(self.content_dtype_or_none, _product(self.content_shape_or_none))
        if size is None:
            raise Unstated(
                "size",
                "how many bytes {api} gives for {label} is not stated",
                "add `size` to the call or buffer",
                api=self.api,
                label=self.label,
            )
        return size

    @property
    def content_dtype_or_none(self) -> str | None:
        """Element type of the bytes, where anything states it."""
        memory = self.handover.memory
        if memory is not None and memory.last_write is not None and memory.last_write.dtype and self.handover.binding:
            return memory.last_write.dtype
        for buffer in (self.content, self.declared_buffer):
            if buffer is not None and buffer.dtype:
                return buffer.dtype
        return self.array.dtype if self.array else None

    @property
    def content_dtype(self) -> str:
        """Element type of the bytes that are given."""
        found = self.content_dtype_or_none
        if found is None:
            name = self.source_name or "the buffer"
            raise Unstated(
                "dtype",
                "the element type of {name} is not stated",
                "add `buffers: {{{name}: {{dtype: uint8}}}}`",
                name=name,
            )
        return found

    @property
    def content_shape_or_none(self) -> list[int] | None:
        """Shape of the bytes, where anything states it."""
        for buffer in (self.content, self.declared_buffer):
            if buffer is not None and buffer.shape is not None:
                return buffer.shape
        return list(self.array.shape) if self.array and self.array.shape is not None else None

    @property
    def content_shape(self) -> list[int]:
        """Logical shape of what is given."""
        found = self.content_shape_or_none
        if found is None:
            name = self.source_name or "the buffer"
            raise Unstated(
                "shape",
                "the shape of {name} is not stated",
                "add `buffers: {{{name}: {{shape: […], layout: HWC}}}}`",
                name=name,
            )
        return found

    @property
    def content_layout(self) -> str:
        """Layout of what is given."""
        for buffer in (self.content, self.declared_buffer):
            if buffer is not None and buffer.layout is not None:
                return buffer.layout
        name = self.source_name or "the buffer"
        raise Unstated(
            "layout", "the layout of {name} is not stated", "add `layout: HWC` (or CHW) to buffers.{name}", name=name
        )

    @property
    def content_dims(self) -> Dims:
        """N, C, H, W of what is given."""
        found = dims_of(self.content_layout, self.content_shape)
        if found is None:
            raise NotApplicable
        return found

    @property
    def content_color(self) -> str:
        """Colour order of what is given: of the path's end, else of the buffer."""
        if self.final is not None and self.final.color:
            return self.final.color
        for buffer in (self.content, self.declared_buffer):
            if buffer is not None and buffer.color:
                return buffer.color
        raise Unstated(
            "color",
            "the colour order given to {label} is not stated",
            "add `color: RGB` (or BGR) to the buffer, or a decode step",
            label=self.label,
        )

    # -- what it is said to be

    @cached_property
    def declared_dtype(self) -> str:
        """Element type that the runtime is told. An unset type of rknn_inputs_set is FLOAT32 (enum value 0)."""
        h, call = self.handover, self._call
        if h.rknn_input is not None:
            if h.rknn_input.type is not None:
                return h.rknn_input.type.lower()
            if h.rknn_input.type_unset:
                return "float32"
            raise Unstated(
                "type",
                "the type field of {label} is not stated",
                "add `type: UINT8` to the call (null = never set)",
                label=self.label,
            )
        if h.binding is not None:
            if h.binding.set_io_mem.type is None:
                raise Unstated(
                    "type",
                    "the type bound for {label} is not stated",
                    "add `type: UINT8` to rknn_set_io_mem",
                    label=self.label,
                )
            return h.binding.set_io_mem.type.lower()
        if isinstance(call, CopyFromHost) and call.host and call.host.dtype:
            return call.host.dtype
        if isinstance(call, ImageProcessConvert) and call.dest and call.dest.dtype:
            return call.dest.dtype
        return self.content_dtype

    @property
    def declared_layout(self) -> str:
        """Layout that the runtime is told."""
        h, call = self.handover, self._call
        fmt: str | None = None
        if h.rknn_input is not None:
            fmt = h.rknn_input.fmt
        elif h.binding is not None:
            fmt = h.binding.set_io_mem.fmt
        elif isinstance(call, CopyFromHost) and call.host is not None:
            fmt = host_layout(call.host)
        elif isinstance(call, ImageProcessConvert) and call.dest is not None:
            fmt = call.dest.layout
        elif isinstance(call, Inference):
            value = call.data_format
            if isinstance(value, list):
                value = value[h.item or 0] if (h.item or 0) < len(value) else None
            fmt = value.upper() if value else ("NHWC" if len(self.input.tensor.shape or []) == 4 else "UNDEFINED")
        if fmt is None:
            raise Unstated(
                "fmt",
                "the layout that {api} is told for {label} is not stated",
                "add `fmt: NHWC` to the call",
                api=self.api,
                label=self.label,
            )
        return fmt

    @property
    def type_unset(self) -> bool:
        """The type field was never set."""
        return self.handover.rknn_input is not None and self.handover.rknn_input.type_unset

    # -- the steps that lead here

    @cached_property
    def path(self) -> PathThing | None:
        """The steps that lead here: they describe the first submission for the input."""
        if not self.handover.first:
            return None
        steps = steps_for(self.world, self.handover.input)
        return PathThing(self.world, self.input.tensor, self.handover.input, steps) if steps else None

    @property
    def final(self) -> State | None:
        """The state at the end of the host's steps."""
        return self.path.final if self.path is not None and self.path.host_steps else None

    @property
    def stated_call(self) -> object:
        """The call, as the plan states it."""
        return self._call

    @property
    def _call(self) -> object:
        i = self.handover.call
        return self.flow.moments[i].call if i < len(self.flow.moments) else None


def host_layout(host: HostTensor) -> str | None:
    """Layout of an MNN host tensor: stated, or by its dimension type."""
    return host.layout or DIMENSION_TYPES.get(host.dimension_type or "")


def _product(shape: list[int]) -> int:
    total = 1
    for size in shape:
        total *= size
    return total
