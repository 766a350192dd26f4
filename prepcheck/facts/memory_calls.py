"""What single calls do to memory: copies, reads by the CPU, imports, memory made again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from prepcheck.contract.calls import Call, Read, RknnCreateMem, RknnRun, RknnSetIoMem, Write
from prepcheck.contract.plan import Buffer
from prepcheck.facts.base import NotApplicable
from prepcheck.facts.flow import Flow, MemoryState, Moment, tensor_of
from prepcheck.records import dataclass

if TYPE_CHECKING:
    from prepcheck.facts.link_parts import Memory


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy of bytes. Sizes in bytes; None where nothing states them. about: the tensor that the memory is bound to."""

    size: int
    source: str | None
    source_size: int | None
    source_dtype: str | None
    memory: str
    memory_size: int | None
    memory_dtype: str | None
    about: str


@dataclass(frozen=True, slots=True)
class DeviceWritten:
    """Memory that the CPU reads and a device wrote last (by, call); synced: from the device, since then."""

    memory: str
    by: str
    call: int
    synced: bool
    cached: bool | None


@dataclass(frozen=True, slots=True)
class Imported:
    """Memory imported by fd or address, with what the plan declares of it."""

    call: RknnCreateMem
    declared: Buffer | None
    about: str


@dataclass(frozen=True, slots=True)
class Remade:
    """Memory of one tensor that is made once per run. call: the second making."""

    target: str
    times: int
    call: int


def bound_to(flow: Flow, memory: str | None) -> str | None:
    """The tensor that a memory is bound to anywhere in the plan."""
    for moment in flow.moments:
        call = moment.call
        if isinstance(call, RknnSetIoMem) and memory is not None:
            target = call.for_ or f"inputs[{call.index or 0}]"
            if (call.buffer or f"<{target}>") == memory:
                return target
    return None


def copied(moment: Moment, flow: Flow, buffers: Mapping[str, Buffer]) -> Copied:
    """A write that copies byte for byte. Raises NotApplicable for other calls and where the size is not stated."""
    call = moment.call
    if not isinstance(call, Write) or call.size is None or call.by in ("rga", "decoder"):
        raise NotApplicable
    source = buffers.get(call.from_) if call.from_ else None
    target = buffers.get(call.buffer)
    state = moment.memories.get(call.buffer)
    size = state.size if state is not None else target.size if target is not None else None
    about = bound_to(flow, call.buffer) or f"calls[{moment.index}]"
    return Copied(
        call.size, call.from_, source.size if source else None, source.dtype if source else None, call.buffer, size,
        target.dtype if target else None, about,
    )  # fmt: skip


def rga_hosts(moment: Moment, buffers: Mapping[str, Buffer]) -> list[str]:
    """Memory of malloc on either side of a write by RGA."""
    call = moment.call
    if not isinstance(call, Write) or call.by != "rga":
        raise NotApplicable
    names = [name for name in (call.from_, call.buffer) if name is not None and name in buffers]
    kinds = {name: buffers[name].memory for name in names}
    return [
        name
        for name, memory in kinds.items()
        if memory is not None and (memory.kind == "virtual" or memory.heap == "malloc")
    ]


def device_written(moment: Moment, flow: Flow, buffers: Mapping[str, Buffer]) -> DeviceWritten:
    """What a read by the CPU meets. Raises NotApplicable where no device wrote the memory last."""
    from prepcheck.facts.link_parts import Memory

    call = moment.call
    state = moment.memories.get(call.buffer) if isinstance(call, Read) else None
    if not isinstance(call, Read) or state is None:
        raise NotApplicable
    held = Memory(state, buffers.get(call.buffer))
    target = tensor_of(bound_to(flow, call.buffer))
    if target is not None and target[0] == "outputs":
        runs = [m.index for m in flow.moments[: moment.index] if isinstance(m.call, RknnRun)]
        if not runs or "DISABLE_FLUSH_OUTPUT_MEM_CACHE" not in moment.flags:
            raise NotApplicable
        return DeviceWritten(call.buffer, "the NPU", runs[-1], _synced(state, runs[-1]), held.cached)
    write = state.last_write
    if write is None or write.failed or write.by != "rga" or not _device_memory(held):
        raise NotApplicable
    return DeviceWritten(call.buffer, "RGA", write.call, _synced(state, write.call), held.cached)


def _synced(state: MemoryState, call: int) -> bool:
    return state.synced_after(call, "from_device", "both")


def _device_memory(held: Memory) -> bool:
    """dma-bufs and the runtime's own memory; what malloc gave is synced by RGA's driver."""
    said = held.declared.memory if held.declared else None
    if said is not None and said.kind == "virtual":
        return False
    return (said is not None and said.kind == "dma_fd") or (held.state.made_by or "").startswith("rknn_create_mem")


def imported(moment: Moment, flow: Flow, buffers: Mapping[str, Buffer]) -> Imported:
    """A call that imports memory. Raises NotApplicable for others."""
    call = moment.call
    if not isinstance(call, RknnCreateMem) or call.api == "rknn_create_mem":
        raise NotApplicable
    about = call.for_ or bound_to(flow, call.buffer) or f"calls[{moment.index}]"
    return Imported(call, buffers.get(call.buffer or ""), about)


def remade(calls: Sequence[Call]) -> list[Remade]:
    """Tensors whose memory is made at least twice with a run in between, each time bound anew."""
    made: dict[str, list[int]] = {}
    for at, call in enumerate(calls):
        if not isinstance(call, RknnCreateMem):
            continue
        binds = (
            c for c in calls[at + 1 :]
            if isinstance(c, RknnSetIoMem) and (call.buffer is None or c.buffer == call.buffer)
            and (call.for_ is None or (c.for_ or f"inputs[{c.index or 0}]") == call.for_)
        )  # fmt: skip
        bind = next(binds, None)
        if bind is not None:
            made.setdefault(bind.for_ or f"inputs[{bind.index or 0}]", []).append(at)
    found = []
    for target, places in made.items():
        between = [
            second for first, second in pairwise(places)
            if any(isinstance(c, RknnRun) for c in calls[first:second])
        ]  # fmt: skip
        if between:
            found.append(Remade(target, len(places), between[0]))
    return found
