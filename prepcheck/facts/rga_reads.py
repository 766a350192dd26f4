"""Facts about the CPU's reading of what RGA wrote: itself, or through a call that copies for the NPU."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from prepcheck.contract.calls import CopyFromHost, HostWrite, Inference, Read, RgaOperation, RknnInputsSet, SetInput
from prepcheck.facts.base import Thing, lists
from prepcheck.facts.calls import flow
from prepcheck.facts.flow import Flow, MemoryState, Moment, WriteEvent
from prepcheck.facts.rga_memory import Store, store_of
from prepcheck.facts.world import World

FROM_DEVICE = ("from_device", "both")


class ReadThing(Thing):
    """The CPU reads memory that an RGA operation of the plan wrote last: itself, or through a call that copies."""

    kind = "rgaread"

    def __init__(
        self, world: World, moment: Moment, name: str, state: MemoryState, write: WriteEvent, found: Flow
    ) -> None:
        about = f"read:{name}" if isinstance(moment.call, Read) else f"buffers.{name}"
        super().__init__(world, f"calls[{moment.index}]", about)
        self.buffer = name
        self.reader = moment.call.api
        self.write = write
        self.state = state
        self.flow = found

    @cached_property
    def store(self) -> Store:
        """The memory as the RGA operation was given it."""
        call = self.flow.moments[self.write.call].call
        assert isinstance(call, RgaOperation)
        assert call.dst is not None
        return store_of(self.world, self.flow, self.write.call, "dst", call.dst)

    @property
    def reader_name(self) -> str:
        """Who reads, as a text says it."""
        return "the program" if self.reader == "read" else self.reader

    @property
    def writer(self) -> str:
        """The operation that wrote it."""
        return self.flow.moments[self.write.call].call.api

    @property
    def unsynced(self) -> bool:
        """Cached memory, read with no sync since RGA wrote it; virtual memory is invalidated by the driver."""
        if (self.store.given or self.store.kind) == "virtual" or self.state.synced_after(self.write.call, *FROM_DEVICE):
            return False
        return self.store.is_cached()

    @property
    def touched_before(self) -> bool:
        """Whether the CPU wrote or read this memory before: lines of it may lie in the cache."""
        before = self.flow.moments[: self.write.call]
        read = any(self.buffer in _read_by_cpu(m) for m in before)
        return read or any(w.by in ("cpu", "memcpy") for w in self.state.writes)


def _read_by_cpu(moment: Moment) -> list[str]:
    """Names of the buffers that a call reads with the CPU."""
    call = moment.call
    if isinstance(call, Read):
        return [call.buffer]
    if isinstance(call, RknnInputsSet):
        return [i.buffer for i in call.inputs if i.buffer is not None]
    if isinstance(call, Inference):
        return list(call.inputs or [])
    if isinstance(call, CopyFromHost):
        name = call.host.fill.buffer if call.host and call.host.fill else call.buffer
        return [name] if name else []
    if isinstance(call, (HostWrite, SetInput)):
        return [call.buffer] if call.buffer else []
    return []


@lists("rgaread")
def _reads(world: World) -> Iterator[Thing]:
    walk = flow(world)
    for moment in walk.moments:
        for name in _read_by_cpu(moment):
            state = moment.memories.get(name)
            write = state.last_write if state is not None else None
            if state is None or write is None or write.failed or write.by != "rga":
                continue
            if isinstance(walk.moments[write.call].call, RgaOperation):
                yield ReadThing(world, moment, name, state, write, walk)
