"""Zero-copy as a chain: who writes, into which memory, whether it is synced, how it is bound, what the attribute wants.

A bound input at one run is a thing of its own; a finding names the link of its chain that does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import prod

from prepcheck.contract.calls import RknnRun, RknnSetIoMem
from prepcheck.contract.contract import Contract
from prepcheck.core.dtypes import itemsize
from prepcheck.core.rknn_native import NativeForm, product
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.calls import flow
from prepcheck.facts.flow import Flow, Handover, MemoryState, Moment, WriteEvent, answer_unread
from prepcheck.facts.link_parts import Link, Need, capacity_of, form_of
from prepcheck.facts.submitted import SubmittedThing
from prepcheck.facts.world import World


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
    def contract(self) -> Contract:
        """The model's contract."""
        if self.world.contract is None:
            raise NotApplicable
        return self.world.contract

    @property
    def build_options(self) -> list[str]:
        """The converter's arguments as typed."""
        if self.world.build is None or self.world.build.options is None:
            raise NotApplicable
        return self.world.build.options

    @property
    def name_of_memory(self) -> str:
        """Its name; `the memory of inputs[0]` where the plan gives none."""
        name = self.handover.buffer or "memory"
        return f"the memory of {name[1:-1]}" if name.startswith("<") else name

    @property
    def capacity(self) -> int:
        """Bytes of the memory: as it was made, else as the binding or the buffer says."""
        return capacity_of(self.memory, self.bind, self.input.tensor, self.name_of_memory)

    @property
    def content_state(self) -> MemoryState:
        """The memory's state; Unstated where a plan that is no record says nothing about who fills it."""
        state = self.memory
        if self.bind.ret is not None and self.bind.ret < 0:
            raise NotApplicable  # nothing was bound: the failed call is the finding
        if not state.writes and answer_unread(self.flow, self.run_call):
            raise NotApplicable  # a run to warm up
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

    @property
    def written_pitch(self) -> int:
        """Pixels from row to row, as the last write puts them."""
        write, form = self.write, self.form
        if write.wstride is not None:
            return write.wstride
        if not form.pitched:
            return form.w_stride
        n, height, width, _ = form.shape
        full = self.need.size
        tight = full // form.w_stride * width
        size = write.size
        if write.copies:
            source = self.content
            size = size if size is not None else source.size if source else None
            if source is not None and source.strides is not None and len(source.strides) >= 2:
                return abs(source.strides[-3 if len(source.strides) > 2 else -2]) // (
                    full // (n * height * form.w_stride)
                )
        if size is not None and size >= self.last_byte:
            return form.w_stride
        if size == tight and write.by != "cpu":
            return width
        raise Unstated(
            "wstride", "at which row pitch {memory} is written is not stated",
            "add `wstride: {want}` (pixels) to the write, if it puts rows there", memory=self.name_of_memory,
            want=form.w_stride, where=f"calls[{write.call}]")  # fmt: skip

    @property
    def last_byte(self) -> int:
        """Bytes up to the end of the last pixel: without the padding of the last row."""
        form, need = self.form, self.need
        if form.layout != "NHWC" or len(form.shape) != 4 or not form.w_stride:
            return need.size
        n, height, width, _ = form.shape
        return need.size - (form.w_stride - width) * (need.size // (n * height * form.w_stride))

    @property
    def pixel_bytes(self) -> int:
        """Bytes of the pixels alone, without any padding of rows."""
        form, need = self.form, self.need
        if form.layout != "NHWC" or len(form.shape) != 4 or not form.w_stride:
            return need.size
        return need.size // form.w_stride * form.shape[2]

    @property
    def written_bytes(self) -> int:
        """Bytes of all writes since the memory was made."""
        sizes = [w.size for w in self.memory.writes if not w.failed]
        if not sizes or any(size is None for size in sizes):
            raise NotApplicable
        return sum(size or 0 for size in sizes)

    def written_elsewhere(self, since: int) -> list[tuple[str, int]]:
        """(memory, call) of the writes after a call and before this run that go to other memory than the bound one."""
        memories = self._run_moment.memories if self._run_moment is not None else self.flow.end
        bound = {
            b.buffer
            for t, b in (self._run_moment.bindings if self._run_moment else {}).items()
            if t.startswith("outputs")
        }
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

    @property
    def unflushed(self) -> str:
        """Why rknn_run does not sync the memory: `flag` or `physical`; not applicable where it does."""
        if "DISABLE_FLUSH_INPUT_MEM_CACHE" in self.flags:
            return "flag"
        if self.memory.made_by != "rknn_create_mem_from_phys":
            raise NotApplicable
        return "physical"

    @property
    def sync_after_write(self) -> tuple[int, str | None]:
        """(call, direction) of the first sync after the last write."""
        found = next((s for s in self.memory.syncs if s[0] > self.write.call), None)
        if found is None:
            raise NotApplicable
        return found

    @property
    def bound_name(self) -> str:
        """Name of the tensor in the attribute that is bound, where it is told."""
        if self.bind.name is None:
            raise NotApplicable
        return self.bind.name

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
    def form(self) -> NativeForm:
        """The input in the NPU's own form: as the plan, rknn_query or the binding says, else by the chip's tables."""
        return form_of(self.input.tensor, self.world.platform, self.label, self.bind.w_stride)

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


@lists("bound")
def _bound(world: World) -> Iterator[Thing]:
    found = flow(world)
    for handover in found.handovers:
        if handover.binding is not None and world.contract is not None and handover.input < len(world.contract.inputs):
            yield BoundThing(world, handover, found)
