"""Facts about the path of one input: the declared (or default) steps, and what the application undoes afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.steps import Step
from prepcheck.facts.base import Thing, lists
from prepcheck.facts.calls import flow
from prepcheck.facts.flow import Handover
from prepcheck.facts.path_fitting import FittingFacts
from prepcheck.facts.path_normalization import NormalizationFacts
from prepcheck.facts.world import World, image_input


class PathThing(NormalizationFacts, FittingFacts):
    """The way of one picture into an input."""

    kind = "path"


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


@lists("path")
def _paths(world: World) -> Iterator[Thing]:
    if world.contract is None:
        if world.plan is not None and isinstance(world.plan.steps, list) and world.plan.steps:
            yield PathThing(world, None, None, world.plan.steps)
        return
    first: dict[int, Handover] = {}
    for handover in flow(world).handovers:
        first.setdefault(handover.input, handover)
    for i, tensor in enumerate(world.contract.inputs):
        steps = steps_for(world, i)
        path = PathThing(world, tensor, i, steps, first.get(i))
        if path.has_steps or path.buffer is not None:
            yield path
