"""What the facts about MNN's calls have in common: the tensor that a call names, and what the session holds before it."""

from __future__ import annotations

from functools import cached_property

from prepcheck.facts.base import NotApplicable, Thing, Unstated
from prepcheck.facts.mnn_walk import InputState, Stop, Target, recorded, resized_later
from prepcheck.facts.model import InputThing
from prepcheck.facts.world import World


def backend_of(world: World) -> str:
    """cpu, opencl, vulkan, metal or cuda. Raises Unstated."""
    if world.backend is None:
        raise Unstated(
            "backend", "the backend that the session runs on is not stated", "add `backend: cpu` (or opencl, vulkan, …) to the plan",
            where="backend")  # fmt: skip
    return world.backend


class MnnThing(Thing):
    """What calls on tensors of MNN have in common."""

    def __init__(self, world: World, stop: Stop, target: Target) -> None:
        about = f"inputs[{target.position}]" if target.position is not None else None
        super().__init__(world, f"calls[{stop.index}]", about)
        self.stop = stop
        self.target = target
        self.name = stop.call.api

    @property
    def api(self) -> str:
        """Name of the call."""
        return self.stop.call.api

    @property
    def index(self) -> int:
        """Its place in `calls`."""
        return self.stop.index

    @property
    def backend(self) -> str:
        """The backend of the session."""
        return backend_of(self.world)

    @cached_property
    def input(self) -> InputThing:
        """The model input that the call names; NotApplicable for other tensors."""
        contract, position = self.world.contract, self.target.position
        if contract is None or position is None:
            raise NotApplicable
        return InputThing(self.world, contract.inputs[position], position)

    @property
    def label(self) -> str:
        """The input's name."""
        return self.input.label

    @property
    def input_layout(self) -> str:
        """The input's layout, as the file says."""
        return self.input.layout

    @property
    def input_names(self) -> list[str]:
        """The model's inputs by name, in the file's order."""
        contract = self.world.contract
        if contract is None:
            raise NotApplicable
        return [t.name or f"inputs[{i}]" for i, t in enumerate(contract.inputs)]

    @property
    def state(self) -> InputState:
        """What the input holds before the call."""
        if self.target.position is None:
            raise NotApplicable
        return self.stop.inputs[self.target.position]

    @property
    def file_shape(self) -> list[int]:
        """The input's sizes in the file; −1 = dynamic."""
        return self.input.shape

    @property
    def shape_now(self) -> tuple[int, ...]:
        """The input's sizes before the call: of the file, or after the last resizeTensor.

        A record states the sizes of its end only; before the first change of an input they are not known.
        """
        if self.state.shape is None and recorded(self.stop.call) and resized_later(self.world, self.target.position):
            raise NotApplicable
        found = self.state.shape or tuple(self.input.shape)
        if any(d <= 0 for d in found):
            raise NotApplicable
        return found
