"""Zero-copy as a chain: who writes, into which memory, whether it is synced, how it is bound, what the attribute wants.

A bound input at one run is a thing of its own; a finding names the link of its chain that does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod

from prepcheck.contract.calls import RknnRun, RknnSetIoMem
from prepcheck.contract.contract import Tensor
from prepcheck.contract.plan import Buffer
from prepcheck.core.dtypes import itemsize, nbytes
from prepcheck.core.rknn_native import NativeForm, native_form, product
from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.calls import flow
from prepcheck.facts.flow import Binding, Flow, Handover, MemoryState, Moment, WriteEvent, tensor_of
from prepcheck.facts.handover import HandoverThing
from prepcheck.facts.model import OutputThing
from prepcheck.facts.world import World


@dataclass(frozen=True, slots=True)
class Need:
    """Bytes that memory must have. formula: the factors, as `1 x 400 x 800 x 3`; of: what they are the size of."""

    size: int
    formula: str
    of: str


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory at one moment, with what the plan declares of it."""

    state: MemoryState
    declared: Buffer | None

    @property
    def cached(self) -> bool | None:
        """Whether the CPU's cache holds it; rknn_create_mem makes cacheable memory unless told otherwise."""
        if "MEMORY_NON_CACHEABLE" in self.state.flags:
            return False
        said = self.declared.memory if self.declared else None
        if said is not None and said.cached is not None:
            return said.cached
        if said is not None and said.heap is not None and "uncached" in said.heap:
            return False
        return True if self.state.made_by == "rknn_create_mem" else None

    @property
    def cpu_writes(self) -> list[WriteEvent]:
        """What the CPU wrote, oldest first."""
        return [w for w in self.state.writes if w.by in ("cpu", "memcpy") and not w.failed]


@dataclass(frozen=True, slots=True)
class Link:
    """One link: kind (write, memory, sync, bind), the call where it happens (None: no call), and what it is."""

    kind: str
    call: int | None
    text: str


class SubmittedThing(HandoverThing):
    """Bytes that the C interface gets for one input, by rknn_inputs_set or as bound memory."""

    kind = "submitted"

    @property
    def mini(self) -> bool:
        """Whether the chip has the mini runtime (zero-copy only)."""
        return self.platform in ZERO_COPY_ONLY

    @cached_property
    def form(self) -> NativeForm:
        """The input in the NPU's own form: as the plan or rknn_query says, else by the chip's tables."""
        return _form(self.input.tensor, self.world.platform, self.label)

    @property
    def rank(self) -> int:
        """How many axes the input has."""
        return len(self.input.shape)

    @property
    def compiled_batch(self) -> int:
        """rknn_batch_size of the build: images that one run takes although the network was exported with one."""
        contract, build = self.world.contract, self.world.build
        stated = [n for n in (contract.batch if contract else None, build.batch_size if build else None) if n is not None]
        if stated:
            return max(stated)
        if len(self.input.shape) != 4 or self.input.dims.n == 1:
            return 1
        raise Unstated(
            "batch", "whether {label} got its {n} images by rknn_batch_size or by the export is not stated",
            "add `batch` (rknn_batch_size of the build) to the model", where="model", label=self.label, n=self.input.dims.n)  # fmt: skip

    @property
    def call_where(self) -> str:
        """The call that states type, fmt and pass_through."""
        binding = self.handover.binding
        return self.where if binding is None else f"calls[{binding.call}]"

    @property
    def tight(self) -> int:
        """Bytes of the input without row padding, in its own type."""
        return nbytes(self.form.dtype, prod(self.input.static_shape))


class BoundThing(SubmittedThing):
    """The memory bound to one input, at the moment of one run."""

    kind = "bound"

    def __init__(self, world: World, handover: Handover, found: Flow) -> None:
        super().__init__(world, handover, found)
        assert handover.binding is not None
        self.binding = handover.binding

    @property
    def bind(self) -> RknnSetIoMem:
        """The call that bound it."""
        return self.binding.set_io_mem

    @property
    def bind_where(self) -> str:
        """The place of that call."""
        return f"calls[{self.binding.call}]"

    # -- the memory

    @property
    def held(self) -> Memory:
        """The memory at the moment of the run."""
        return Memory(self.memory, self.declared_buffer)

    @property
    def name_of_memory(self) -> str:
        """Its name; `the memory of inputs[0]` where the plan gives none."""
        name = self.handover.buffer or "memory"
        return f"the memory of {name[1:-1]}" if name.startswith("<") else name

    @property
    def capacity(self) -> int:
        """Bytes of the memory: as it was made, else as the binding or the buffer says."""
        return _capacity(self.memory, self.bind, self.input.tensor, self.name_of_memory)

    @property
    def content_state(self) -> MemoryState:
        """The memory's state; Unstated where a plan that is no record says nothing about who fills it."""
        state = self.memory
        if state.writes or self.told_whole or state.stale:
            return state
        declared = self.declared_buffer
        if declared is not None and (declared.file or declared.range or declared.color):
            raise NotApplicable  # its content is declared
        raise Unstated(
            "write", "who fills {memory} before the run is not stated",
            "add `- {{api: write, buffer: {memory}, by: cpu}}` (or rga, decoder) to `calls` before rknn_run",
            memory=self.name_of_memory)  # fmt: skip

    @property
    def told_whole(self) -> bool:
        """Whether the plan tells every call (it is a record), or at least who writes memory."""
        calls = self.world.plan.calls if self.world.plan else []
        return any(c.t_ms is not None or c.ret is not None for c in calls) or any(
            c.api in ("write", "dma_buf_sync") or c.api.startswith("im") for c in calls
        )

    @property
    def write(self) -> WriteEvent:
        """The last write that did anything."""
        found = self.memory.last_write
        if found is None or found.failed:
            raise NotApplicable
        return found

    @property
    def written_by(self) -> str:
        """Who wrote last: cpu, memcpy, rga, decoder."""
        if self.write.by == "unknown":
            raise Unstated(
                "by", "who writes {memory} is not stated", "add `by: cpu` (or rga, memcpy, decoder) to the write",
                memory=self.name_of_memory)  # fmt: skip
        return self.write.by

    def written_elsewhere(self, since: int) -> list[tuple[str, int]]:
        """(memory, call) of the writes after a call and before this run that go to other memory than the bound one."""
        memories = self._run_moment.memories if self._run_moment is not None else self.flow.end
        bound = {b.buffer for t, b in (self._run_moment.bindings if self._run_moment else {}).items() if t.startswith("outputs")}
        return sorted(
            (name, w.call) for name, state in memories.items() for w in state.writes
            if name != self.handover.buffer and name not in bound and w.call > since and not w.failed
        )  # fmt: skip

    @property
    def written_elsewhere_before(self) -> list[tuple[str, int]]:
        """The same for the whole plan before this run."""
        return self.written_elsewhere(-1)

    @property
    def written_elsewhere_since_run(self) -> list[tuple[str, int]]:
        """The same since the run before this one."""
        return self.written_elsewhere(self.previous_run)

    # -- the run

    @property
    def flags(self) -> frozenset[str]:
        """Flags of rknn_init."""
        if self._run_moment is not None:
            return self._run_moment.flags
        return self.flow.moments[-1].flags if self.flow.moments else frozenset()

    @property
    def run_call(self) -> int:
        """Index of the run (beyond the last call where the plan leaves it out)."""
        return self.handover.call

    @property
    def previous_run(self) -> int:
        """Index of the run before this one."""
        earlier = [m.index for m in self.flow.moments[: self.handover.call] if isinstance(m.call, RknnRun)]
        if not earlier:
            raise NotApplicable
        return earlier[-1]

    # -- what the attribute wants

    @cached_property
    def need(self) -> Need:
        """Bytes that the memory must have for the way it is bound.

        pass_through 1: the native size. Else rows of w_stride pixels of the type that is bound for native NHWC inputs
        (measured: librknnrt 1.5.2, librknnmrt 2.3.2), or the plain tensor for all others.
        """
        if self.pass_through:
            return Need(self.form.size, product(self.form.factors), f"{self.form.layout} {self.form.dtype}")
        width = itemsize(self.declared_dtype)
        if self.form.layout == "NHWC" and len(self.form.shape) == 4:
            factors = (*self.form.factors[:-1], width)
            return Need(prod(factors), product(factors), f"NHWC {self.declared_dtype} in rows of w_stride")
        factors = (*self.input.static_shape, width)
        return Need(prod(factors), product(factors), f"{self.input.layout} {self.declared_dtype}")

    @property
    def chain(self) -> tuple[Link, ...]:
        """All links, from the writer to the binding, as a user reads them."""
        from prepcheck.facts.link_texts import chain_of

        return chain_of(self)

    @property
    def _run_moment(self) -> Moment | None:
        at = self.handover.call
        return self.flow.moments[at] if at < len(self.flow.moments) else None


class BoundOutputThing(OutputThing):
    """The memory bound to one output."""

    kind = "bound_output"

    def __init__(self, world: World, tensor: Tensor, position: int, binding: Binding, found: Flow) -> None:
        super().__init__(world, tensor, position)
        self.about = f"outputs[{position}]"
        self.where = f"calls[{binding.call}]"
        self.binding = binding
        self.flow = found

    @property
    def label(self) -> str:
        """The output's name."""
        return self.tensor.name or f"outputs[{self.position}]"

    @property
    def bind(self) -> RknnSetIoMem:
        """The call that bound it."""
        return self.binding.set_io_mem

    @property
    def name_of_memory(self) -> str:
        """Its name."""
        name = self.binding.buffer or "memory"
        return f"the memory of {name[1:-1]}" if name.startswith("<") else name

    @property
    def state(self) -> MemoryState:
        """The memory when it was bound."""
        after = self.binding.call + 1
        memories = self.flow.moments[after].memories if after < len(self.flow.moments) else self.flow.end
        return memories.get(self.binding.buffer or "") or MemoryState(self.binding.buffer or "")

    @property
    def capacity(self) -> int:
        """Bytes of the memory."""
        return _capacity(self.state, self.bind, self.tensor, self.name_of_memory)

    @cached_property
    def form(self) -> NativeForm:
        """The output in the NPU's own form."""
        return _form(self.tensor, self.world.platform, self.label)

    @cached_property
    def need(self) -> Need:
        """Bytes for the layout that is bound: the native ones for NC1HWC2, else the plain tensor of the bound type."""
        native = self.bind.fmt == "NC1HWC2" or (self.bind.fmt is None and self.state.attr == "NATIVE_OUTPUT_ATTR")
        if native:
            return Need(self.form.size, product(self.form.factors), f"{self.form.layout} {self.form.dtype}")
        dtype = (self.bind.type or self.dtype).lower()
        factors = (*self.static_shape, itemsize(dtype))
        return Need(prod(factors), product(factors), f"{self.bind.fmt or self.layout} {dtype}")


def _capacity(state: MemoryState, bind: RknnSetIoMem, tensor: Tensor, name: str) -> int:
    size = state.size if state.size is not None else bind.size
    if size is None and state.attr is not None:
        native = tensor.native if state.attr.startswith("NATIVE") else None
        size = (native.size_with_stride if native else None) or tensor.size_with_stride or tensor.size
    if size is None:
        raise Unstated(
            "size", "how many bytes {memory} has is not stated", "add `size` to rknn_create_mem or to the buffer",
            memory=name)  # fmt: skip
    return size


def _form(tensor: Tensor, platform: str | None, label: str) -> NativeForm:
    native = tensor.native
    if native is not None and native.layout and native.shape and native.dtype and native.size_with_stride:
        pitch = native.w_stride or 0
        if native.layout == "NHWC" and len(native.shape) == 4 and not pitch:
            pitch = tensor.w_stride or native.shape[2]
        return NativeForm(native.layout, tuple(native.shape), native.dtype, pitch, native.size_with_stride, True)
    if not tensor.layout or not tensor.shape or not tensor.dtype:
        raise Unstated(
            "native", "the native layout of {label} is not stated", "add `native_inputs` (RKNN_QUERY_NATIVE_INPUT_ATTR)",
            label=label)  # fmt: skip
    if any(d <= 0 for d in tensor.shape):
        raise NotApplicable
    found = native_form(tensor.layout, tensor.shape, tensor.dtype, platform, pitch=tensor.w_stride)
    if found is None:
        raise Unstated(
            "native", "how the chip lays out {label} is not known",
            "add `platform` and `native_inputs` (what RKNN_QUERY_NATIVE_INPUT_ATTR says)", label=label)  # fmt: skip
    return found


@lists("submitted")
def _submitted(world: World) -> Iterator[Thing]:
    found = flow(world)
    for handover in found.handovers:
        by_c = handover.rknn_input is not None or handover.binding is not None
        if by_c and world.contract is not None and handover.input < len(world.contract.inputs):
            yield SubmittedThing(world, handover, found)


@lists("bound")
def _bound(world: World) -> Iterator[Thing]:
    found = flow(world)
    for handover in found.handovers:
        if handover.binding is not None and world.contract is not None and handover.input < len(world.contract.inputs):
            yield BoundThing(world, handover, found)


@lists("bound_output")
def _bound_outputs(world: World) -> Iterator[Thing]:
    found = flow(world)
    outputs = world.contract.outputs if world.contract else []
    for moment in found.moments:
        call = moment.call
        target = tensor_of(call.for_) if isinstance(call, RknnSetIoMem) else None
        if isinstance(call, RknnSetIoMem) and target is not None and target[0] == "outputs" and target[1] < len(outputs):
            name = call.buffer or f"<{call.for_}>"
            yield BoundOutputThing(world, outputs[target[1]], target[1], Binding(moment.index, call, name), found)
