"""Facts about one call: its arguments and the state of every memory before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from prepcheck.contract.calls import Call
from prepcheck.contract.contract import Tensor
from prepcheck.contract.plan import Buffer
from prepcheck.core.dtypes import BITS, itemsize
from prepcheck.core.layouts import dims_of
from prepcheck.core.strides import View, span, view_of
from prepcheck.facts import memory_calls
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.failures import Failure, failures_of
from prepcheck.facts.flow import Flow, MemoryState, Moment, flow_of
from prepcheck.facts.memory_calls import Copied, DeviceWritten, Imported, Remade
from prepcheck.facts.world import ArrayFacts, World
from prepcheck.facts.zero_copy_use import CHIPS_WITH_FAULTS, Use, use_of

if TYPE_CHECKING:
    from prepcheck.facts.runs import TwoWays


class CallThing(Thing):
    """One call of the plan. `name` is its api."""

    kind = "call"

    def __init__(self, world: World, moment: Moment, flow: Flow) -> None:
        super().__init__(world, f"calls[{moment.index}]")
        self.moment = moment
        self.flow = flow
        self.name = moment.call.api

    @property
    def call(self) -> Call:
        """The call as the plan states it."""
        return self.moment.call

    @property
    def index(self) -> int:
        """Its place in `calls`."""
        return self.moment.index

    @property
    def ret(self) -> int:
        """The return code that a record holds."""
        if self.call.ret is None:
            raise NotApplicable
        return self.call.ret

    @cached_property
    def later_calls(self) -> list[Call]:
        """The calls after this one."""
        return [m.call for m in self.flow.moments[self.moment.index + 1 :]]

    @cached_property
    def earlier_calls(self) -> list[Call]:
        """The calls before this one."""
        return [m.call for m in self.flow.moments[: self.moment.index]]

    @property
    def model_inputs(self) -> list[Tensor]:
        """The model's inputs."""
        if self.world.contract is None or not self.world.contract.inputs:
            raise NotApplicable
        return self.world.contract.inputs

    @property
    def copied(self) -> Copied:
        """A write that copies bytes, with the sizes on both sides."""
        return memory_calls.copied(self.moment, self.flow, self._buffers)

    @property
    def rga_hosts(self) -> list[str]:
        """Memory of malloc that a write by RGA touches."""
        return memory_calls.rga_hosts(self.moment, self._buffers)

    @property
    def device_written(self) -> DeviceWritten:
        """What a read by the CPU meets in memory that a device wrote."""
        return memory_calls.device_written(self.moment, self.flow, self._buffers)

    @property
    def imported(self) -> Imported:
        """Memory that is imported by fd or address."""
        return memory_calls.imported(self.moment, self.flow, self._buffers)

    @property
    def memory_target(self) -> str:
        """The tensor that the memory of this call is for: as the call says, else as it is bound; else the call's place."""
        said = getattr(self.call, "for_", None)
        return said or memory_calls.bound_to(self.flow, getattr(self.call, "buffer", None)) or self.where

    @property
    def _buffers(self) -> Mapping[str, Buffer]:
        return self.world.plan.buffers if self.world.plan else {}

    @property
    def init_flags(self) -> frozenset[str]:
        """Flags of rknn_init, without prefix."""
        return self.moment.flags

    def memory(self, name: str) -> MemoryState:
        """The state of a memory before this call."""
        return self.moment.memories.get(name) or MemoryState(name)


class BufferThing(Thing):
    """One entry of `buffers`."""

    kind = "buffer"

    def __init__(self, world: World, name: str, buffer: Buffer) -> None:
        super().__init__(world, f"buffers.{name}")
        self.name = name
        self.buffer = buffer

    @property
    def dtype(self) -> str:
        """Element type, as declared or as the .npy header says."""
        array = self.world.arrays.get(self.name)
        found = self.buffer.dtype or (array.dtype if array else None)
        if found is None:
            raise Unstated(
                "dtype",
                "the element type of buffer {name} is not stated",
                "add `dtype` to buffers.{name}",
                name=self.name,
            )
        return found

    @property
    def shape(self) -> list[int]:
        """Logical shape."""
        array = self.world.arrays.get(self.name)
        if self.buffer.shape is not None:
            return self.buffer.shape
        if array is not None and array.shape is not None:
            return list(array.shape)
        raise Unstated(
            "shape", "the shape of buffer {name} is not stated", "add `shape` to buffers.{name}", name=self.name
        )

    @property
    def nbytes(self) -> int:
        """What it holds or was allocated with."""
        if self.buffer.size is None:
            raise NotApplicable
        return self.buffer.size

    @property
    def strides(self) -> list[int]:
        """Byte strides of a view."""
        if self.buffer.strides is None:
            raise NotApplicable
        return self.buffer.strides

    @property
    def stated_dtype(self) -> str | None:
        """Element type as the entry states it."""
        return self.buffer.dtype

    @property
    def stated_shape(self) -> tuple[int, ...] | None:
        """Shape as the entry states it."""
        return None if self.buffer.shape is None else tuple(self.buffer.shape)

    @property
    def stated_range(self) -> tuple[float, float]:
        """Range of values as the entry states it."""
        if self.buffer.range is None:
            raise NotApplicable
        return (self.buffer.range[0], self.buffer.range[1])

    @property
    def by_user(self) -> bool:
        """Whether the entry stands in a plan of the user's (else it is the default's)."""
        return self.world.declared

    @property
    def is_picture(self) -> bool:
        """Whether it has rows and columns of at least 8 and at most 4 channels."""
        dims = dims_of(self.buffer.layout or "", self.buffer.shape or [])
        return dims is not None and dims.c <= 4 and min(dims.h, dims.w) >= 8

    @property
    def file_array(self) -> ArrayFacts:
        """What the bytes of its file say; NotApplicable for a view, whose file is the parent."""
        found = self.world.arrays.get(self.name)
        if found is None or self.buffer.file is None or self.buffer.strides is not None or self.buffer.offset:
            raise NotApplicable
        return found

    @property
    def view(self) -> View:
        """How it lies in memory, where strides are stated."""
        found = view_of(self.shape, self.strides, itemsize(self.dtype)) if BITS[self.dtype] % 8 == 0 else None
        if found is None:
            raise NotApplicable
        return found

    @property
    def view_end(self) -> int:
        """The byte behind the last one that a view touches, counted from the start of its parent."""
        if any(step < 0 for step in self.strides):
            raise NotApplicable
        return (self.buffer.offset or 0) + span(self.shape, self.strides, itemsize(self.dtype))

    @property
    def parent_nbytes(self) -> int:
        """Bytes of the memory that a view is a part of: the file, or the capacity of the memory."""
        array = self.world.arrays.get(self.name)
        memory = self.buffer.memory
        found = array.nbytes if array is not None else memory.capacity if memory is not None else None
        if found is None:
            raise NotApplicable
        return found

    @property
    def said_contiguous(self) -> bool:
        """What the entry says."""
        if self.buffer.contiguous is None:
            raise NotApplicable
        return self.buffer.contiguous

    @property
    def declared(self) -> Buffer:
        """The entry itself."""
        return self.buffer


class PlanThing(Thing):
    """The plan as a whole: the whole flow."""

    kind = "plan"

    @cached_property
    def flow(self) -> Flow:
        """The walk over all calls."""
        return flow(self.world)

    @property
    def calls(self) -> list[Call]:
        """All calls."""
        if self.world.plan is None or not self.world.plan.calls:
            raise NotApplicable
        return self.world.plan.calls

    @property
    def failures(self) -> list[Failure]:
        """Calls that a record says failed."""
        return failures_of(self.calls)

    @property
    def two_ways(self) -> list[TwoWays]:
        """Inputs that are both set and bound."""
        from prepcheck.facts.runs import two_ways_of

        return two_ways_of(self.world)

    @property
    def remade(self) -> list[Remade]:
        """Tensors whose memory is made anew for every run."""
        return memory_calls.remade(self.calls)

    @property
    def delicate_use(self) -> Use:
        """What of the runtime the plan uses, where old versions had a fault with any of it."""
        use = use_of(self.calls, self.world.contract)
        chip = self.world.platform
        if not (use.same_memory or (use.any and chip in CHIPS_WITH_FAULTS)):
            raise NotApplicable
        return use


def flow(world: World) -> Flow:
    """The flow of a world, walked once."""
    found = world.memo.get("flow")
    if not isinstance(found, Flow):
        found = flow_of(world)
        world.memo["flow"] = found
    return found


@lists("plan")
def _plans(world: World) -> Iterator[Thing]:
    if world.plan is not None:
        yield PlanThing(world, "plan")


@lists("call")
def _calls(world: World) -> Iterator[Thing]:
    found = flow(world)
    for moment in found.moments:
        yield CallThing(world, moment, found)


@lists("buffer")
def _buffers(world: World) -> Iterator[Thing]:
    for name, buffer in (world.plan.buffers if world.plan else {}).items():
        yield BufferThing(world, name, buffer)
