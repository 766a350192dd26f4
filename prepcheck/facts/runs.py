"""Facts about one rknn_run: which inputs were ever given, what was refilled without being set again, what was hashed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prepcheck.contract.calls import Call, RknnCreateMem, RknnInputsSet, RknnOutputsGet, RknnRun, RknnSetIoMem
from prepcheck.facts.base import NotApplicable, Thing, lists
from prepcheck.facts.calls import flow
from prepcheck.facts.flow import Flow, Moment, answer_unread
from prepcheck.facts.world import World


@dataclass(frozen=True, slots=True)
class Refill:
    """A buffer that was written after it had been set, and not set again. set_call, write_call: their places."""

    input: int
    label: str
    buffer: str
    set_call: int
    write_call: int


@dataclass(frozen=True, slots=True)
class Hashed:
    """One run of a record: its place, the hash of its inputs, and of the answer read after it."""

    call: int
    inputs: str
    answer: str | None


@dataclass(frozen=True, slots=True)
class TwoWays:
    """An input that is set and bound. The two calls: the last of each kind before both are in force."""

    input: int
    label: str
    set_call: int
    bind_call: int


def two_ways_of(world: World) -> list[TwoWays]:
    """Inputs that rknn_inputs_set and rknn_set_io_mem both name."""
    found = flow(world)
    sets: dict[int, int] = {}
    binds: dict[int, int] = {}
    for handover in found.handovers:
        if handover.rknn_input is not None:
            sets.setdefault(handover.input, handover.call)
        elif handover.binding is not None:
            binds.setdefault(handover.input, handover.binding.call)
    inputs = world.contract.inputs if world.contract else []
    return [
        TwoWays(i, (inputs[i].name if i < len(inputs) else None) or f"inputs[{i}]", sets[i], binds[i])
        for i in sorted(sets.keys() & binds.keys())
    ]


class RunThing(Thing):
    """One rknn_run."""

    kind = "run"

    def __init__(self, world: World, moment: Moment, found: Flow) -> None:
        super().__init__(world, f"calls[{moment.index}]")
        self.moment = moment
        self.flow = found

    @property
    def index(self) -> int:
        """Its place in `calls`."""
        return self.moment.index

    @property
    def ordinal(self) -> int:
        """How many runs went before."""
        return self.moment.runs

    @property
    def unfed(self) -> list[tuple[int, str]]:
        """(position, name) of the inputs that no call before this run gave anything for.

        A plan that tells nothing about inputs leaves them out on purpose (interface §4.4.7); a record leaves out nothing.
        A run whose answer nobody reads, to warm up, needs none.
        """
        inputs = self.world.contract.inputs if self.world.contract else []
        calls = (m.call for m in self.flow.moments)
        if not inputs or not (any(_about_inputs(c) for c in calls) or is_record([m.call for m in self.flow.moments])):
            raise NotApplicable
        if answer_unread(self.flow, self.index):
            raise NotApplicable
        missing = set(range(len(inputs)))
        for h in self.flow.handovers:
            if not missing:
                break
            if h.call <= self.index:
                missing.discard(h.input)
        return [(i, t.name or f"inputs[{i}]") for i, t in enumerate(inputs) if i in missing]

    @property
    def written_memory(self) -> list[str]:
        """Memory made by rknn_create_mem that was written and is bound to nothing."""
        bound = {b.buffer for b in self.moment.bindings.values()}
        return sorted(
            name for name, state in self.moment.memories.items()
            if state.made_by is not None and state.made_by.startswith("rknn_") and state.writes and name not in bound
        )  # fmt: skip

    @property
    def refilled(self) -> list[Refill]:
        """Buffers that were set before the previous run, refilled since, and not set again."""
        earlier = [m.index for m in self.flow.moments[: self.index] if isinstance(m.call, RknnRun)]
        if not earlier:
            raise NotApplicable
        last = {h.input: h for h in self.flow.handovers if h.call < self.index}
        found = []
        for position, handover in sorted(last.items()):
            if handover.rknn_input is None or handover.buffer is None or handover.call > earlier[-1]:
                continue
            names = {handover.buffer} | {
                w.source for w in (handover.memory.writes if handover.memory else ()) if w.source
            }
            writes = [
                (w.call, name) for name in names for w in (self.moment.memories[name].writes if name in self.moment.memories else ())
                if w.call > earlier[-1] and not w.failed
            ]  # fmt: skip
            if writes:
                call, name = min(writes)
                tensor = self.world.contract.inputs[position] if self.world.contract else None
                label = (tensor.name if tensor else None) or f"inputs[{position}]"
                found.append(Refill(position, label, name, handover.call, call))
        return found


def is_record(calls: list[Call]) -> bool:
    """Whether the calls come from a record: they carry times or return codes."""
    return any(c.t_ms is not None or c.ret is not None for c in calls)


def _about_inputs(call: Call) -> bool:
    if isinstance(call, RknnInputsSet):
        return True
    if isinstance(call, (RknnCreateMem, RknnSetIoMem)):
        return call.for_ is None or call.for_.startswith("inputs")
    return False


def hashed_runs(calls: list[Call]) -> list[Hashed]:
    """The runs of a record whose inputs were hashed."""
    found: list[Hashed] = []
    for at, call in enumerate(calls):
        if isinstance(call, RknnRun) and call.hash:
            found.append(Hashed(at, call.hash, None))
        elif isinstance(call, RknnOutputsGet) and call.hash and found and found[-1].answer is None:
            found[-1] = Hashed(found[-1].call, found[-1].inputs, call.hash)
    return found


@lists("run")
def _runs(world: World) -> Iterator[Thing]:
    found = flow(world)
    for moment in found.moments:
        if isinstance(moment.call, RknnRun):
            yield RunThing(world, moment, found)
