"""What a finding about values does to the input, in numbers, where no bytes were submitted: PSNR, saturation, levels left.

Computed from the maps alone (every pixel value 0..255 once), and only where a finding asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from prepcheck.core.effect import RampEffect, ramp_effect
from prepcheck.core.plain import Value
from prepcheck.engine.running import Found
from prepcheck.facts.base import NotApplicable, Unstated, things
from prepcheck.facts.handover import HandoverThing
from prepcheck.facts.model import applied_normalization
from prepcheck.facts.normalization import compose
from prepcheck.facts.path import PathThing
from prepcheck.facts.path_values import trained_values
from prepcheck.facts.world import World
from prepcheck.pixels.chain import Affine

CATEGORIES = frozenset({"normalization", "quantization", "dtype"})
"""Faults of these kinds change the map from pixel to value; others move pixels about, which takes a picture to measure."""
PIXELS = tuple(range(256))


def with_effects(world: World, found: Sequence[Found]) -> list[Found]:
    """The findings, those about values with `effect` in their evidence where the maps are known."""
    known: dict[int, dict[str, Value] | None] = {}
    out = []
    for item in found:
        position = _position(item) if item.category in CATEGORIES and item.severity != "info" else None
        if position is not None and position not in known:
            known[position] = effect_of(world, position)
        effect = known.get(position) if position is not None else None
        given = item.finding.values if item.finding.evidence is None else item.finding.evidence
        if effect is None or "effect" in given:
            out.append(item)
        else:
            out.append(replace(item, finding=replace(item.finding, evidence={**given, "effect": effect})))
    return out


def _position(item: Found) -> int | None:
    for text in (item.about, item.where):
        if text.startswith("inputs[") and text.endswith("]") and text[7:-1].isdigit():
            return int(text[7:-1])
    return None


def effect_of(world: World, position: int) -> dict[str, Value] | None:
    """The effect on one input as evidence; None where the maps are not known or nothing is moved."""
    path = next((t for t in things(world, "path") if isinstance(t, PathThing) and t.position == position), None)
    if path is None:
        return None
    try:
        seen = _seen(world, path)
        tensor = path.input.tensor
    except (Unstated, NotApplicable):
        return None
    if seen is None or not all(isfinite(v) for table in seen for v in table):
        return None
    right = _right(world, path, len(seen))
    if right is not None and len(right) > len(seen):
        seen = [seen[0]] * len(right)
    held = (tensor.value_range[0], tensor.value_range[1]) if tensor.value_range else None
    step = tensor.scale if tensor.scale else 2.0**-tensor.fl if tensor.fl is not None else None
    found = ramp_effect(seen, right, held, step)
    return None if found.psnr is not None and not isfinite(found.psnr) else _evidence(found)


def _evidence(found: RampEffect) -> dict[str, Value]:
    values: dict[str, Value] = {
        "over": "pixels 0..255", "psnr": found.psnr, "saturated": found.saturated,
        "saturated_expected": found.saturated_expected, "distinct": found.distinct,
        "distinct_expected": found.distinct_expected,
    }  # fmt: skip
    return {key: value for key, value in values.items() if value is not None}


def _seen(world: World, path: PathThing) -> list[list[float]] | None:
    """The value that the network gets for every pixel value, by channel."""
    codes = _misread(world, path)
    if codes is not None:
        return [codes]
    if path.codes_given:
        return None
    affine = compose([*path.host_ops, *path.model_ops])
    return None if affine is None else _tables(affine, max(len(affine.a), len(affine.b)))


def _misread(world: World, path: PathThing) -> list[float] | None:
    """Unsigned pixels taken as the codes of an int8 input: from 128 up they wrap."""
    tensor = path.input.tensor
    if not path.codes_given or tensor.dtype != "int8" or not tensor.scale:
        return None
    thing = next(
        (t for t in things(world, "handover") if isinstance(t, HandoverThing) and t.handover.input == path.position),
        None,
    )
    if thing is None or thing.content_dtype_or_none != "uint8":
        return None
    zero_point, scale = tensor.zero_point or 0, tensor.scale
    return [((p - 256 if p > 127 else p) - zero_point) * scale for p in PIXELS]


def _right(world: World, path: PathThing, channels: int) -> list[list[float]] | None:
    """The values that would be right: training's, else those of pixels as the model takes them."""
    tensor = path.input.tensor
    training = world.training_of(tensor)
    affine = trained_values(training) if training is not None else None
    if affine is None and path.codes_given:
        applied = applied_normalization(world, tensor)
        affine = Affine().then(*applied) if applied is not None else None
    return None if affine is None else _tables(affine, max(channels, len(affine.a), len(affine.b)))


def _tables(affine: Affine, channels: int) -> list[list[float]]:
    a, b = (v * channels if len(v) == 1 else v for v in (affine.a, affine.b))
    return [[x * p + y for p in PIXELS] for x, y in zip(a, b, strict=True)]
