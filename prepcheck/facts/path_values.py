"""From the steps of a path to maps (x − mean)/std: what the application does, what the model does, what training did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from prepcheck.facts.normalization import Op, compose
from prepcheck.pixels.chain import Affine

if TYPE_CHECKING:
    from prepcheck.contract.plan import Training
    from prepcheck.contract.steps import Step
    from prepcheck.pixels.chain import State


def step_op(step: Step, index: int, who: str) -> Op | None:
    """The map of one step; None for a step that leaves the values alone, and for a scale by 0."""
    if step.scale is not None:
        if step.scale.by == 0:
            return None
        return Op(who, (-step.scale.offset / step.scale.by,), (1 / step.scale.by,), index, "scale")
    if step.normalize is not None:
        return Op(who, tuple(step.normalize.mean), tuple(step.normalize.std), index)
    a = step.image_process
    if a is not None and (a.mean or a.normal):
        dtype = (a.dest.dtype if a.dest else None) or "float32"
        if not dtype.startswith("float"):
            return None
        mean = tuple(a.mean or [0.0])
        normal = tuple(a.normal or [1.0])
        return Op(who, mean, tuple(1 / n if n else 0.0 for n in normal), index, "image_process")
    return None


def step_ops(steps: Sequence[Step], states: Sequence[State], *, host: bool) -> list[Op]:
    """The maps of the host's steps, or of all others, in order. states: before the first step and after each.

    A swap of R and B that follows a map turns its lists round, so that all lists are in the order of the end.
    """
    found: list[Op] = []
    for i, step in enumerate(steps):
        mine = (step.arguments.where == "host") == host
        if step.convert_color is not None and {states[i].color, states[i + 1].color} == {"RGB", "BGR"}:
            found = [Op(op.who, op.mean[::-1], op.std[::-1], op.step, op.kind) for op in found]
        op = step_op(step, i, "host" if host else "model") if mine else None
        if op is not None:
            found.append(op)
    return found


def trained_ops(training: Training) -> list[Op] | None:
    """What training did to pixels 0..255: to the range, then (x − mean)/std in the unit of the range. None = not stated.

    Where only a mean is stated, means beyond 2 can only be in pixels. A mean that lies outside a stated range by more
    than the range is wide contradicts it: then pixels are meant.
    """
    if training.range is None and training.mean is None and training.std is None:
        return None
    low, high = training.range or [0.0, 1.0]
    far = max((abs(m) for m in training.mean or []), default=0.0)
    if far > max(abs(low), abs(high)) + (high - low):
        low, high = 0.0, 255.0
    found: list[Op] = []
    scale = (high - low) / 255.0
    if scale > 0 and (scale != 1.0 or low != 0.0):
        found.append(Op("training", (-low / scale,), (1 / scale,), None, "scale"))
    if training.mean is not None or training.std is not None:
        found.append(Op("training", tuple(training.mean or [0.0]), tuple(training.std or [1.0])))
    return found


def trained_values(training: Training) -> Affine | None:
    """The map pixel → value that the network saw in training; None where it is not stated."""
    ops = trained_ops(training)
    return None if ops is None else compose(ops)
