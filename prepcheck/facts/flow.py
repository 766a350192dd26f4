"""The plan's calls as a data flow: who wrote which memory, what is bound to which input, what each run sees.

The calls are walked once in order. Before each call the state of every memory is kept; every submission of bytes to a
model input becomes a `Handover`. Repeated calls are further frames.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING

from prepcheck.contract.calls import (
    Alloc,
    Call,
    Channel,
    CopyFromHost,
    HostWrite,
    ImageProcessConvert,
    Inference,
    MemSync,
    Read,
    RgaImport,
    RgaOperation,
    RknnCreateMem,
    RknnDestroyMem,
    RknnInit,
    RknnInput,
    RknnInputsSet,
    RknnOutputsGet,
    RknnRun,
    RknnSetIoMem,
    RunSession,
    SetInput,
    Write,
)
from prepcheck.records import dataclass

if TYPE_CHECKING:
    from prepcheck.facts.world import World

_FOR = re.compile(r"(inputs|outputs)\[(\d+)\]\Z")


@dataclass(frozen=True, slots=True)
class WriteEvent:
    """Somebody put bytes into a memory. call: index of the call; source: the buffer copied from; wstride: pixels.

    ret: the return code of a record. copies: the bytes are those of the source as they are (not so for RGA).
    """

    call: int
    by: str
    source: str | None = None
    dtype: str | None = None
    size: int | None = None
    wstride: int | None = None
    ret: int | None = None

    @property
    def copies(self) -> bool:
        """Whether the source's bytes arrive unchanged: RGA and decoders make others of them."""
        return self.source is not None and self.by not in ("rga", "decoder")

    @property
    def failed(self) -> bool:
        """Whether a record says that nothing was written: im2d returns IM_STATUS_SUCCESS = 1, other calls 0."""
        return self.ret is not None and (self.ret <= 0 if self.by == "rga" else self.ret < 0)


@dataclass(frozen=True, slots=True)
class MemoryState:
    """One memory at one moment. size: bytes it was made with; born: call that made it; synced: since the last write."""

    name: str
    size: int | None = None
    born: int | None = None
    made_by: str | None = None
    attr: str | None = None
    flags: frozenset[str] = frozenset()
    writes: tuple[WriteEvent, ...] = ()
    syncs: tuple[tuple[int, str | None], ...] = ()
    destroyed: int | None = None
    stale: bool = False  # fresh memory of undefined content took the name after it had been written
    reborn: int = 0

    @property
    def last_write(self) -> WriteEvent | None:
        """The last write into the memory as it is now; one that failed counts where no other did anything."""
        done = [w for w in self.writes if not w.failed]
        return done[-1] if done else self.writes[-1] if self.writes else None

    def synced_after(self, call: int, *directions: str) -> bool:
        """Whether a sync in one of the directions follows a call."""
        return any(at > call and (said is None or said in directions) for at, said in self.syncs)


@dataclass(frozen=True, slots=True)
class Binding:
    """rknn_set_io_mem bound a memory to a tensor."""

    call: int
    set_io_mem: RknnSetIoMem
    buffer: str | None


@dataclass(frozen=True, slots=True)
class Handover:
    """Bytes reach a model input. call: index; run: ordinal of the run (0 = first); item: position inside the call.

    memory: state of the buffer at the moment when the bytes count (the call, or for bound memory the run).
    """

    call: int
    api: str
    input: int
    run: int
    buffer: str | None = None
    item: int | None = None
    rknn_input: RknnInput | None = None
    binding: Binding | None = None
    memory: MemoryState | None = None
    first: bool = True


def content_name(handover: Handover) -> str | None:
    """The buffer whose content is handed over: what was copied into bound memory, else the buffer itself."""
    write = handover.memory.last_write if handover.memory is not None else None
    return write.source if write is not None and write.copies else handover.buffer


@dataclass(frozen=True, slots=True)
class Moment:
    """The state before one call: every memory, every binding, flags of init, and how many runs went before."""

    index: int
    call: Call
    memories: Mapping[str, MemoryState]
    bindings: Mapping[str, Binding]
    runs: int
    flags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Flow:
    """The whole walk. end: memories after the last call. channels: (call, src or dst) of RGA calls → name of its memory.

    answered: whether any call reads an answer.
    """

    moments: tuple[Moment, ...] = ()
    handovers: tuple[Handover, ...] = ()
    end: Mapping[str, MemoryState] = field(default_factory=dict)
    channels: Mapping[tuple[int, str], str] = field(default_factory=dict)
    answered: bool = False


def answer_unread(flow: Flow, run: int) -> bool:
    """Whether nobody reads the answer of a run, in a plan that does read those of others: a run to warm up."""
    for moment in flow.moments[run + 1 :]:
        if isinstance(moment.call, (RknnOutputsGet, Read)):
            return False
        if isinstance(moment.call, RknnRun):
            return flow.answered
    return False


def tensor_of(text: str | None) -> tuple[str, int] | None:
    """`inputs[0]` → ("inputs", 0); None where the text is nothing of the kind."""
    found = _FOR.match(text or "")
    return (found[1], int(found[2])) if found else None


def input_named(world: World, name: str | None) -> int | None:
    """Position of an input by name; without a name the only input."""
    inputs = world.contract.inputs if world.contract else []
    if name is None:
        return 0 if len(inputs) == 1 else None
    return next((i for i, t in enumerate(inputs) if t.name == name), None)


class _Walk:
    def __init__(self, world: World) -> None:
        self.world = world
        self.memories: dict[str, MemoryState] = {}
        self.bindings: dict[str, Binding] = {}
        self.handovers: list[Handover] = []
        self.flags: frozenset[str] = frozenset()
        self.runs = 0
        self.pending: dict[str, RknnCreateMem] = {}
        self.fds: dict[int, str] = {}
        self.channels: dict[tuple[int, str], str] = {}
        self.handed: set[int] = set()

    def memory(self, name: str) -> MemoryState:
        if name not in self.memories:
            declared = self.world.plan.buffers.get(name) if self.world.plan else None
            size = None
            if declared is not None:
                size = declared.memory.capacity if declared.memory and declared.memory.capacity else declared.size
            self.memories[name] = MemoryState(name, size=size)
        return self.memories[name]

    def write(self, name: str | None, event: WriteEvent) -> None:
        if name is not None:
            state = self.memory(name)
            self.memories[name] = replace(state, writes=(*state.writes, event), stale=False)

    def born(self, name: str, call: RknnCreateMem | Alloc, index: int) -> None:
        """The name stands for memory made by this call. Imported memory (from_fd, from_phys) keeps its content."""
        if call.ret is not None and call.ret < 0:
            return
        old = self.memory(name)
        size = call.size if call.size is not None else old.size
        again = old.reborn + (1 if old.born is not None and old.made_by == call.api else 0)
        state = MemoryState(name, size=size, born=index, made_by=call.api, stale=bool(old.writes), reborn=again)
        if isinstance(call, RknnCreateMem):
            state = replace(state, attr=call.attr, flags=frozenset(call.flags or ()))
            if call.api != "rknn_create_mem":
                state = replace(state, writes=old.writes, syncs=old.syncs, stale=False)
        self.memories[name] = state

    def memory_of(self, channel: Channel) -> str | None:
        """The memory that an RGA channel means: by name, else by the fd or address that a buffer is stated with."""
        said = channel.memory
        if channel.buffer is not None or said is None or said.address is None or said.kind in ("virtual", "handle"):
            return channel.buffer
        for name, buffer in (self.world.plan.buffers if self.world.plan else {}).items():
            if buffer.memory and (buffer.memory.kind, buffer.memory.address) == (said.kind, said.address):
                return name
        return (
            self.fds.get(said.address, f"<fd {said.address}>") if said.kind == "dma_fd" else f"<address {said.address}>"
        )

    def rga(self, index: int, call: RgaOperation | RgaImport) -> None:
        """Which memories an RGA call means, and that it writes its destination. No wstride = the width (im2d)."""
        for side in ("src", "dst"):
            channel = getattr(call, side, None)
            name = self.memory_of(channel) if isinstance(channel, Channel) else None
            if name is not None:
                self.channels[index, side] = name
        if isinstance(call, RgaOperation) and call.dst is not None:
            wstride = call.dst.wstride or call.dst.width
            source = self.channels.get((index, "src"))
            event = WriteEvent(index, "rga", source, "uint8", call.dst.size, wstride, call.ret)
            self.write(self.channels.get((index, "dst")), event)

    def hand(
        self,
        call: int,
        api: str,
        position: int | None,
        buffer: str | None,
        *,
        rknn_input: RknnInput | None = None,
        item: int | None = None,
        binding: Binding | None = None,
    ) -> None:
        if position is None:
            return
        memory = self.memory(buffer) if buffer else None
        handover = Handover(call, api, position, self.runs, buffer, memory=memory, first=position not in self.handed)
        self.handed.add(position)
        self.handovers.append(replace(handover, rknn_input=rknn_input, item=item, binding=binding))

    def step(self, index: int, call: Call) -> None:
        if isinstance(call, RknnInit):
            self.flags = self.flags | frozenset(call.flags)
        elif isinstance(call, RknnInputsSet):
            for item, given in enumerate(call.inputs):
                position = given.index if given.index is not None else item
                self.hand(index, call.api, position, given.buffer, rknn_input=given, item=item)
        elif isinstance(call, RknnCreateMem):
            if call.for_ and not call.buffer:
                self.pending[call.for_] = call
            name = call.buffer or (f"<{call.for_}>" if call.for_ else None)
            if name is not None:
                self.born(name, call, index)
                if call.fd is not None:
                    self.fds[call.fd] = name
        elif isinstance(call, RknnSetIoMem):
            self.bind(index, call)
        elif isinstance(call, RknnDestroyMem):
            self.memories[call.buffer] = replace(self.memory(call.buffer), destroyed=index)
        elif isinstance(call, MemSync):
            state = self.memory(call.buffer)
            self.memories[call.buffer] = replace(state, syncs=(*state.syncs, (index, call.direction)))
        elif isinstance(call, Alloc):
            self.born(call.buffer, call, index)
        elif isinstance(call, Write):
            event = WriteEvent(index, call.by or "unknown", call.from_, call.dtype, call.size, call.wstride, call.ret)
            self.write(call.buffer, event)
        elif isinstance(call, (RgaOperation, RgaImport)):
            self.rga(index, call)
        elif isinstance(call, (RknnRun, RunSession)):
            self.run(index, call)
        else:
            self.submit(index, call)

    def submit(self, index: int, call: Call) -> None:
        if isinstance(call, Inference):
            for item, name in enumerate(call.inputs or []):
                self.hand(index, call.api, item, name, item=item)
            self.runs += 1
        elif isinstance(call, CopyFromHost):
            fill = call.host.fill.buffer if call.host and call.host.fill else None
            self.hand(index, call.api, input_named(self.world, call.tensor), fill or call.buffer)
        elif isinstance(call, (HostWrite, SetInput)):
            self.hand(index, call.api, input_named(self.world, call.tensor), call.buffer)
        elif isinstance(call, ImageProcessConvert):
            self.hand(index, call.api, image_process_input(self.world, call), call.source)

    def bind(self, index: int, call: RknnSetIoMem) -> None:
        target = call.for_ or (f"inputs[{call.index}]" if call.index is not None else "inputs[0]")
        name = call.buffer
        made = self.pending.pop(target, None)
        if name is None:
            name = f"<{target}>"
        elif made is not None:
            anonymous, old = self.memories.pop(f"<{target}>", None), self.memory(name)
            at = anonymous.born if anonymous is not None and anonymous.born is not None else index
            self.born(name, made, at)
            writes = (*(anonymous.writes if anonymous else ()), *(w for w in old.writes if w.call > at))
            syncs = (*(anonymous.syncs if anonymous else ()), *(s for s in old.syncs if s[0] > at))
            if writes or syncs:  # written or synced by its name between making and binding
                state = self.memories[name]
                self.memories[name] = replace(state, writes=writes, syncs=syncs, stale=state.stale and not writes)
        self.bindings[target] = Binding(index, call, name)

    def run(self, index: int, call: RknnRun | RunSession) -> None:
        for target, binding in self.bindings.items():
            where = tensor_of(target)
            if where is not None and where[0] == "inputs":
                self.hand(index, "rknn_set_io_mem", where[1], binding.buffer, binding=binding)
        self.runs += 1


def image_process_input(world: World, call: ImageProcessConvert) -> int | None:
    """The input that a convert writes: the one named, else the only one that `dest` fits."""
    inputs = world.contract.inputs if world.contract else []
    if call.tensor is not None or len(inputs) == 1:
        return input_named(world, call.tensor)
    shape = call.dest.shape if call.dest else None
    fitting = [i for i, t in enumerate(inputs) if shape is not None and t.shape == shape]
    return fitting[0] if len(fitting) == 1 else None


def flow_of(world: World) -> Flow:
    """Walk the plan's calls."""
    calls = world.plan.calls if world.plan else []
    walk = _Walk(world)
    moments = []
    for index, call in enumerate(calls):
        moments.append(Moment(index, call, dict(walk.memories), dict(walk.bindings), walk.runs, walk.flags))
        walk.step(index, call)
    if walk.bindings and not walk.runs and not any(isinstance(c, RknnRun) for c in calls):
        walk.run(len(calls), RknnRun(api="rknn_run"))
    answered = any(isinstance(c, (RknnOutputsGet, Read)) for c in calls)
    return Flow(tuple(moments), tuple(walk.handovers), dict(walk.memories), dict(walk.channels), answered)


__all__ = [
    "Binding",
    "Flow",
    "Handover",
    "MemoryState",
    "Moment",
    "RgaImport",
    "WriteEvent",
    "flow_of",
    "input_named",
    "tensor_of",
]
