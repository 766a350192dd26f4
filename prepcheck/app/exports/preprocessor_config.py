"""Hugging Face's preprocessor_config.json for what the application still has to do before this model."""

from __future__ import annotations

import json

from prepcheck.app.worlds import Prepared
from prepcheck.core.layouts import dims_of
from prepcheck.errors import UsageError
from prepcheck.facts.world import image_input

TITLE = "Hugging Face's preprocessor_config.json for what is left to the application"
NEEDS = "model"


def export(prepared: Prepared) -> str:
    """The JSON. What the model or its runtime does itself (mean, std) is switched off; resize to the model's size is left.

    Raises UsageError where the model has no single picture input.
    """
    contract = prepared.world.contract
    tensor = image_input(contract) if contract is not None else None
    dims = dims_of(tensor.layout or "", tensor.shape or []) if tensor is not None else None
    if contract is None or tensor is None or dims is None:
        raise UsageError("preprocessor-config needs a model with one picture input of a fixed size")
    training = prepared.world.training_of(tensor)
    inside = contract.runtime in ("rknn", "rknn1")
    body: dict[str, object] = {
        "do_resize": True,
        "size": {"height": dims.h, "width": dims.w},
        "resample": 2,  # PIL.Image.BILINEAR
        "do_rescale": False,
        "do_normalize": False,
        "do_convert_rgb": dims.c == 3,
    }
    if not inside and training is not None and training.mean is not None and training.std is not None:
        body |= {"do_normalize": True, "image_mean": training.mean, "image_std": training.std}
        low, high = training.range or [0.0, 1.0]
        if (low, high) != (0.0, 255.0):
            body |= {"do_rescale": True, "rescale_factor": (high - low) / 255.0}
    return json.dumps(body, indent=2, sort_keys=True) + "\n"
