"""Facts about the path of one input: the declared (or default) steps, and what the application undoes afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from prepcheck.contract.contract import Tensor
from prepcheck.contract.plan import Training
from prepcheck.core.layouts import Dims
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.model import InputThing, applied_normalization
from prepcheck.facts.world import World, image_input
from prepcheck.pixels.chain import Affine, State, run

if TYPE_CHECKING:
    from prepcheck.contract.steps import Step


class PathThing(Thing):
    """The steps of one input, host steps and those done elsewhere."""

    kind = "path"

    def __init__(self, world: World, tensor: Tensor | None, position: int | None, steps: list[Step]) -> None:
        super().__init__(world, f"inputs[{position}]" if position is not None else "steps")
        self.tensor = tensor
        self.position = position
        self._steps = steps

    @property
    def steps(self) -> list[Step]:
        """The steps in order."""
        if not self._steps:
            raise NotApplicable
        return self._steps

    @property
    def host_steps(self) -> list[Step]:
        """The steps that the application does itself."""
        return [s for s in self.steps if s.arguments.where == "host"]

    @cached_property
    def states(self) -> list[State]:
        """The state before the first step and after each (all steps, wherever they are done)."""
        return run(self.steps)

    @cached_property
    def host_states(self) -> list[State]:
        """The same for the host's steps alone: the last is what is handed over."""
        return run(self.host_steps)

    @property
    def final(self) -> State:
        """What the host hands over."""
        return self.host_states[-1]

    @cached_property
    def input(self) -> InputThing:
        """The model input that the path ends in."""
        if self.tensor is None or self.position is None:
            raise NotApplicable
        return InputThing(self.world, self.tensor, self.position)

    @property
    def dims(self) -> Dims:
        """N, C, H, W of that input."""
        return self.input.dims

    @property
    def training(self) -> Training:
        """What the network was trained on."""
        return self.input.training

    @property
    def training_resize(self) -> str:
        """letterbox, stretch or crop."""
        if self.training.resize is None:
            raise Unstated(
                "training.resize", "how pictures were resized in training is not stated",
                "add `model: {{training: {{resize: letterbox}}}}` (or stretch, crop)", where="model.training",
            )  # fmt: skip
        return self.training.resize

    @property
    def undo(self) -> str:
        """What the postprocessing undoes: letterbox or stretch."""
        post = self.world.plan.postprocess if self.world.plan else None
        if post is None or post.undo is None:
            raise NotApplicable
        return post.undo

    @property
    def source_size(self) -> tuple[int, int]:
        """(width, height) of the decoded picture."""
        found = self.final.source_size
        if found is None:
            raise Unstated("source_size", "the size of the decoded picture is not stated", "add `size: [width, height]` to the decode step")
        return found


def steps_for(world: World, position: int) -> list[Step]:
    """The steps that belong to an input: its own list, or the one list if it is the image input (or the only input)."""
    plan, contract = world.plan, world.contract
    if plan is None or contract is None:
        return []
    if isinstance(plan.steps, dict):
        return plan.steps.get(contract.inputs[position].name or f"inputs[{position}]", [])
    owner = image_input(contract)
    index = next((i for i, t in enumerate(contract.inputs) if owner is not None and t.index == owner.index), None)
    if index is None and len(contract.inputs) == 1:
        index = 0
    return plan.steps if index == position else []


def trained_values(training: Training) -> Affine | None:
    """The map pixel → value that the network saw in training. None where neither range nor mean is stated.

    mean and std are in the unit of `range`: pixels are first mapped linearly from 0..255 to the range.
    """
    if training.range is None and training.mean is None and training.std is None:
        return None
    low, high = training.range or [0.0, 1.0]
    unit = Affine(((high - low) / 255.0,), (low,))
    if training.range is None and any(abs(m) > 2 for m in training.mean or []):
        unit = Affine()  # means beyond 2 can only be in pixel units
    if training.mean is None and training.std is None:
        return unit
    return unit.then(training.mean or [0.0], training.std or [1.0])


def model_values(world: World, tensor: Tensor, host: Affine | None) -> Affine | None:
    """host's map followed by the mean/std that the model or its runtime applies; None where one is not known."""
    found = applied_normalization(world, tensor)
    if host is None or found is None:
        return None
    return host.then(*found)


@lists("path")
def _paths(world: World) -> Iterator[Thing]:
    if world.contract is None:
        if world.plan is not None and isinstance(world.plan.steps, list) and world.plan.steps:
            yield PathThing(world, None, None, world.plan.steps)
        return
    for i, tensor in enumerate(world.contract.inputs):
        steps = steps_for(world, i)
        if steps:
            yield PathThing(world, tensor, i, steps)
