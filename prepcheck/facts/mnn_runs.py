"""Facts about MNN's resizes, runs and reads, each with what the session's inputs hold before it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from prepcheck.contract.calls import CopyFromHost, CopyToHost, HostWrite, ImageProcessConvert, ResizeTensor, RunSession
from prepcheck.core.dtypes import itemsize
from prepcheck.core.layouts import dims_of
from prepcheck.facts.base import NotApplicable, Thing, lists, things
from prepcheck.facts.calls import flow
from prepcheck.facts.mnn_base import MnnThing
from prepcheck.facts.mnn_walk import InputState, Stop, walked
from prepcheck.facts.path import PathThing
from prepcheck.facts.world import World


class MnnResizeThing(MnnThing):
    """A resizeTensor."""

    kind = "mnn_resize"

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes asked for."""
        call = self.stop.call
        assert isinstance(call, ResizeTensor)
        return tuple(call.shape)

    @property
    def is_static(self) -> bool:
        """Whether the model was converted with --saveStaticModel."""
        contract = self.world.contract
        return contract is not None and any(n.kind == "static_model" for n in contract.notes)

    @property
    def picture_size(self) -> tuple[int, int]:
        """(width, height) of the picture that the host's steps end in, else of the buffer that is copied first."""
        for path in things(self.world, "path"):
            if not isinstance(path, PathThing) or path.position != self.target.position or not path.has_steps:
                continue
            if path.host_steps and path.final.size is not None and path.final.geometry != "matrix":
                return path.final.size
        for handover in flow(self.world).handovers:
            plan = self.world.plan
            if handover.input == self.target.position and handover.buffer and plan is not None:
                buffer = plan.buffers.get(handover.buffer)
                dims = dims_of(buffer.layout or "", buffer.shape or []) if buffer is not None else None
                if dims is not None:
                    return (dims.w, dims.h)
        raise NotApplicable


class MnnRunThing(Thing):
    """A runSession."""

    kind = "mnn_run"

    def __init__(self, world: World, stop: Stop) -> None:
        super().__init__(world, f"calls[{stop.index}]")
        self.stop = stop

    @property
    def index(self) -> int:
        """Its place in `calls`."""
        return self.stop.index

    @property
    def ordinal(self) -> int:
        """How many runs went before."""
        return self.stop.runs

    @cached_property
    def inputs(self) -> list[tuple[int, str, InputState]]:
        """(position, name, what it holds) of every input.

        A plan that tells nothing about inputs leaves them out on purpose (interface §4.4.7); a record leaves out nothing.
        """
        stops = walked(self.world)
        record = any(s.call.t_ms is not None or s.call.ret is not None for s in stops)
        before = [
            s
            for s in stops
            if s.index < self.stop.index and isinstance(s.call, (CopyFromHost, HostWrite, ImageProcessConvert))
        ]
        if not before and not record:
            raise NotApplicable
        if any(s.target is not None and s.target.kind in ("unnamed", "unknown") and not record for s in before):
            raise NotApplicable  # a rule of its own; which input it fills is not known here
        contract = self.world.contract
        names = [t.name or f"inputs[{i}]" for i, t in enumerate(contract.inputs)] if contract else []
        return [(i, names[i], state) for i, state in sorted(self.stop.inputs.items())]

    @property
    def file_shapes(self) -> list[tuple[list[int], int]]:
        """(sizes in the file, bytes of one element) of every input."""
        contract = self.world.contract
        return [(t.shape or [], itemsize(t.dtype or "float32")) for t in (contract.inputs if contract else [])]

    @property
    def own_writes(self) -> list[tuple[str, int]]:
        """(name, call) of tensors of the program's own that were filled and are the source of no copy into an input."""
        used: set[str] = set()
        for stop in walked(self.world):
            call = stop.call
            if isinstance(call, CopyFromHost) and stop.target is not None and stop.target.kind == "input":
                used |= {n for n in (call.buffer, call.host.fill.buffer if call.host and call.host.fill else None) if n}
            elif isinstance(call, ImageProcessConvert) and call.source:
                used.add(call.source)
        return [(name, at) for name, at in sorted(self.stop.owned.items()) if name not in used]


class MnnReadThing(MnnThing):
    """A copyToHostTensor."""

    kind = "mnn_read"

    @property
    def output(self) -> str:
        """The tensor that is read; NotApplicable for an input that is read back."""
        if self.target.kind == "input":
            raise NotApplicable
        return self.target.name or "the output"

    @property
    def runs_before(self) -> int:
        """How many runs went before."""
        return self.stop.runs

    @property
    def unrun_write(self) -> int | None:
        """The last write into an input that no run has followed, and none will: its picture is never computed."""
        stops = walked(self.world)
        if any(isinstance(s.call, RunSession) for s in stops[self.stop.index :]):
            return None
        writes = [s.written for s in self.stop.inputs.values() if s.written is not None]
        return max(writes, default=None)


@lists("mnn_resize")
def _resizes(world: World) -> Iterator[Thing]:
    for stop in walked(world):
        if isinstance(stop.call, ResizeTensor) and stop.target is not None:
            yield MnnResizeThing(world, stop, stop.target)


@lists("mnn_run")
def _runs(world: World) -> Iterator[Thing]:
    for stop in walked(world):
        if isinstance(stop.call, RunSession):
            yield MnnRunThing(world, stop)


@lists("mnn_read")
def _reads(world: World) -> Iterator[Thing]:
    for stop in walked(world):
        if isinstance(stop.call, CopyToHost) and stop.target is not None:
            yield MnnReadThing(world, stop, stop.target)
