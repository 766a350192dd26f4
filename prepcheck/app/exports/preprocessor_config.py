"""Hugging Face's preprocessor_config.json for what the application still has to do before this model."""

from __future__ import annotations

import json

from prepcheck.app.worlds import Prepared
from prepcheck.contract.contract import Tensor
from prepcheck.contract.steps import Step
from prepcheck.core.layouts import dims_of
from prepcheck.errors import UsageError
from prepcheck.facts.path import steps_for
from prepcheck.facts.world import World, image_input

TITLE = "Hugging Face's preprocessor_config.json for what is left to the application"
NEEDS = "model"
RESAMPLE = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "area": 4}
"""PIL.Image.Resampling; area is its BOX."""


def export(prepared: Prepared) -> str:
    """The JSON. What the model or its runtime does itself (mean, std) is switched off.

    With a plan its steps are written; without one, the resize to the model's size, and the values of `training` where
    nothing normalises inside. Raises UsageError where the model has no single picture input, or where the format has no
    word for a step.
    """
    world = prepared.world
    contract = world.contract
    tensor = image_input(contract) if contract is not None else None
    dims = dims_of(tensor.layout or "", tensor.shape or []) if tensor is not None else None
    if contract is None or tensor is None or dims is None:
        raise UsageError("preprocessor-config needs a model with one picture input of a fixed size")
    body: dict[str, object] = {
        "do_resize": True,
        "size": {"height": dims.h, "width": dims.w},
        "resample": 2,
        "do_rescale": False,
        "do_normalize": False,
        "do_convert_rgb": dims.c == 3,
    }
    position = contract.inputs.index(tensor)
    steps = steps_for(world, position) if world.declared else []
    if steps:
        body |= _geometry(steps)
        body |= _values(steps)
    elif contract.runtime not in ("rknn", "rknn1"):
        body |= _trained(world, tensor)
    if _color(steps) == "BGR":
        body["do_flip_channel_order"] = True
    return json.dumps(body, indent=2, sort_keys=True) + "\n"


def _trained(world: World, tensor: Tensor) -> dict[str, object]:
    training = world.training_of(tensor)
    if training is None or training.mean is None or training.std is None:
        return {}
    found: dict[str, object] = {"do_normalize": True, "image_mean": training.mean, "image_std": training.std}
    low, high = training.range or [0.0, 1.0]
    if (low, high) != (0.0, 255.0):
        found |= {"do_rescale": True, "rescale_factor": (high - low) / 255.0}
    return found


def _geometry(steps: list[Step]) -> dict[str, object]:
    found: dict[str, object] = {"do_resize": False}
    for step in steps:
        if step.resize is not None:
            a = step.resize
            sides = {"shortest_edge": a.shorter, "longest_edge": a.longest}
            size = {"height": a.size[1], "width": a.size[0]} if a.size else {k: v for k, v in sides.items() if v}
            found |= {"do_resize": True, "size": size, "resample": RESAMPLE.get(a.filter or "bilinear", 2)}
        elif step.letterbox is not None:
            b = step.letterbox
            fill = b.fill if isinstance(b.fill, int) or b.fill is None else max(b.fill)
            if b.align != "top_left" or fill or b.size[0] != b.size[1]:
                raise UsageError(
                    f"the format has no word for the letterbox to {b.size[0]}x{b.size[1]} ({b.align or 'center'}, fill {b.fill}): "
                    "it pads a square with 0 on the right and below"
                )
            found |= {
                "do_resize": True, "size": {"longest_edge": b.size[0]}, "resample": RESAMPLE.get(b.filter or "bilinear", 2),
                "do_pad": True, "pad_size": {"height": b.size[1], "width": b.size[0]},
            }  # fmt: skip
        elif step.crop is not None:
            if step.crop.center is None:
                raise UsageError("the format has no word for a crop that is not in the middle")
            width, height = step.crop.center
            found |= {"do_center_crop": True, "crop_size": {"height": height, "width": width}}
        elif step.pad is not None or step.image_process is not None or step.rga is not None:
            raise UsageError(f"the format has no word for the step {step.kind}")
    return found


def _values(steps: list[Step]) -> dict[str, object]:
    found: dict[str, object] = {}
    for step in steps:
        if step.arguments.where != "host":
            continue
        if step.scale is not None:
            if step.scale.offset not in (0.0, -1.0):
                raise UsageError(f"the format has no word for a scale with the offset {step.scale.offset}")
            found |= {"do_rescale": True, "rescale_factor": step.scale.by}
            if step.scale.offset:
                found["rescale_offset"] = True
        elif step.normalize is not None:
            found |= {"do_normalize": True, "image_mean": step.normalize.mean, "image_std": step.normalize.std}
    return found


def _color(steps: list[Step]) -> str | None:
    found = None
    for step in steps:
        if step.decode is not None:
            found = step.decode.color or found
        elif step.convert_color is not None:
            found = step.convert_color.to
    return found
