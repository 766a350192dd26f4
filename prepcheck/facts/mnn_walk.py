"""MNN's calls walked once in order: what each session input holds before every call, and what a write writes into.

Measured on MNN 3.6.1: runSession recycles the memory of its inputs; resizeSession gives them new memory where a
resizeTensor with another shape went before, else it does nothing; resizeTensor with the shape that a tensor has does nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from prepcheck.contract.calls import (
    Call,
    CallBase,
    CopyFromHost,
    CopyToHost,
    HostWrite,
    ImageProcessConvert,
    ResizeSession,
    ResizeTensor,
    RunSession,
)
from prepcheck.facts.flow import image_process_input, input_named

if TYPE_CHECKING:
    from prepcheck.facts.world import World

Writing = CopyFromHost | HostWrite | ImageProcessConvert
"""Calls that write into a tensor."""
Kind = Literal["input", "output", "own", "unnamed", "unknown"]
"""What a call's `tensor` is. own: a tensor of the program; unnamed: nothing is said, of several inputs."""


@dataclass(frozen=True, slots=True)
class InputState:
    """What one input of the session holds. written: the call that filled it last, None = none did since it was lost.

    lost, by: how the content of an earlier write (call `earlier`) went away (`run` or `resize`), and in which call.
    noop: a fromNumpy that wrote nothing. shape: the sizes after the last resizeTensor, None = those of the file.
    pending: a resizeTensor with another shape that no resizeSession has followed yet.
    """

    written: int | None = None
    lost: str | None = None
    by: int | None = None
    earlier: int | None = None
    noop: int | None = None
    shape: tuple[int, ...] | None = None
    resized: int | None = None
    pending: int | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """What a call writes into or reads. position: of the input. name: as the call says it."""

    kind: Kind
    position: int | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Stop:
    """The state before one call of MNN. inputs: by position. runs: how many runSession went before. owned: last call that
    filled a tensor of the program's own, by its name."""

    index: int
    call: Call
    inputs: Mapping[int, InputState]
    runs: int
    target: Target | None
    owned: Mapping[str, int]


def recorded(call: CallBase) -> bool:
    """Whether a call comes from a record: its model states the sizes of the end, and only changes are told."""
    return call.t_ms is not None or call.ret is not None


def target_of(world: World, call: Call) -> Target | None:
    """What a call of MNN names; None for calls without a tensor."""
    if isinstance(call, (RunSession, ResizeSession)) or not isinstance(
        call, (CopyFromHost, HostWrite, ImageProcessConvert, CopyToHost, ResizeTensor)
    ):
        return None
    name = call.tensor
    position = image_process_input(world, call) if isinstance(call, ImageProcessConvert) else input_named(world, name)
    if position is not None and not (isinstance(call, CopyToHost) and name is None):
        return Target("input", position, name)
    inputs = world.contract.inputs if world.contract else []
    if name is None:
        return Target("unnamed" if len(inputs) > 1 and not recorded(call) else "unknown", None, None)
    plan = world.plan
    if plan is not None and name in plan.buffers:
        return Target("own", None, name)
    outputs = {t.name for t in (world.contract.outputs if world.contract else [])}
    return Target("output" if name in outputs or isinstance(call, CopyToHost) else "unknown", None, name)


def walk(world: World) -> tuple[Stop, ...]:
    """The state before every call; the calls of other runtimes change nothing."""
    count = len(world.contract.inputs) if world.contract else 0
    states = {i: InputState() for i in range(count)}
    owned: dict[str, int] = {}
    runs = 0
    stops = []
    for index, call in enumerate(world.plan.calls if world.plan else []):
        target = target_of(world, call)
        stops.append(Stop(index, call, dict(states), runs, target, dict(owned)))
        if isinstance(call, RunSession):
            runs += 1
            states = {i: _lose(s, "run", index) for i, s in states.items()}
        elif isinstance(call, ResizeSession):
            if any(s.pending is not None for s in states.values()):
                states = {i: replace(_lose(s, "resize", index), pending=None) for i, s in states.items()}
        elif target is not None and target.kind == "own" and isinstance(call, (CopyFromHost, HostWrite)):
            owned[target.name or ""] = index
        elif target is not None and target.position is not None:
            states[target.position] = _touch(world, states[target.position], call, index, target.position)
    return tuple(stops)


def _lose(state: InputState, how: str, at: int) -> InputState:
    if state.written is None:
        return state
    return replace(state, written=None, lost=how, by=at, earlier=state.written)


def _touch(world: World, state: InputState, call: Call, index: int, position: int) -> InputState:
    if isinstance(call, ResizeTensor):
        contract = world.contract
        old = state.shape or tuple((contract.inputs[position].shape if contract else None) or ())
        new = tuple(call.shape)
        if new == old and (state.shape is not None or not recorded(call)):
            return state
        return replace(state, shape=new, resized=index, pending=index)
    if isinstance(call, CopyFromHost) and call.api == "Tensor.fromNumpy":
        return replace(state, noop=index)
    if isinstance(call, (CopyFromHost, HostWrite, ImageProcessConvert)):
        return replace(state, written=index, lost=None, by=None)
    return state


def resized_later(world: World, position: int | None) -> bool:
    """Whether any call changes the sizes of an input."""
    return any(
        isinstance(s.call, ResizeTensor) and s.target is not None and s.target.position == position
        for s in walked(world)
    )


def walked(world: World) -> tuple[Stop, ...]:
    """The walk of a world, done once."""
    found = world.memo.get("mnn_walk")
    if not isinstance(found, tuple):
        found = walk(world)
        world.memo["mnn_walk"] = found
    return found
