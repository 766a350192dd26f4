"""GStreamer's .modelinfo (1.1) of a model: one section for each tensor; what is not known is a PLACEHOLDER."""

from __future__ import annotations

from prepcheck.app.worlds import Prepared
from prepcheck.contract.contract import Tensor
from prepcheck.core.layouts import dims_of
from prepcheck.errors import UsageError
from prepcheck.facts.model import applied_normalization
from prepcheck.facts.path_values import trained_values
from prepcheck.facts.world import World, image_inputs

TITLE = "GStreamer's .modelinfo for inference elements"
NEEDS = "model"
FORMATS = {"RGB": "RGB", "BGR": "BGR", "RGBA": "RGBA", "BGRA": "BGRA", "GRAY": "GRAY8", "NV12": "NV12", "NV21": "NV21",
           "I420": "I420", "YUYV": "YUY2"}  # fmt: skip


def export(prepared: Prepared) -> str:
    """The file. `ranges` say what 8-bit pictures become before the model: what the model does itself is left out.

    Raises UsageError for a name that no section can have.
    """
    world = prepared.world
    contract = world.contract
    if contract is None:
        raise UsageError("there is no model")
    lines = ["[modelinfo]", "version=1.1", "group-id=PLACEHOLDER"]
    pictures = {t.index for t in image_inputs(contract)}
    for tensor in contract.inputs:
        lines += ["", *_section(tensor, "input")]
        if tensor.index in pictures:
            lines += _picture(world, tensor)
        else:
            lines.append("caps=PLACEHOLDER")
    for tensor in contract.outputs:
        lines += ["", *_section(tensor, "output"), "id=PLACEHOLDER", "dims-order=row-major"]
    return "\n".join(lines) + "\n"


def _section(tensor: Tensor, way: str) -> list[str]:
    name = tensor.name or ""
    if not name or any(c in name for c in "[]\n\r"):
        raise UsageError(f"{way} {tensor.index}: a section cannot have the name {name!r}")
    dims = ",".join(map(str, tensor.shape)) if tensor.shape else "PLACEHOLDER"
    return [f"[{name}]", f"dims={dims}", f"dir={way}", f"type={tensor.dtype or 'PLACEHOLDER'}"]


def _picture(world: World, tensor: Tensor) -> list[str]:
    training = world.training_of(tensor)
    color = FORMATS.get(training.color or "") if training is not None else None
    if color is None and _gray(tensor):
        color = "GRAY8"
    lines = [f"caps=video/x-raw, format={color}" if color else "caps=PLACEHOLDER"]
    if world.runtime in ("rknn", "rknn1"):
        applied = applied_normalization(world, tensor)
        return [*lines, "ranges=0.0,255.0" if applied is not None else "ranges=PLACEHOLDER"]
    goal = trained_values(training) if training is not None else None
    if goal is None:
        return [*lines, "ranges=PLACEHOLDER"]
    pairs = [(b, 255 * a + b) for a, b in zip(goal.a, goal.b, strict=True)]
    if len(set(pairs)) == 1:
        pairs = pairs[:1]
    return [*lines, "ranges=" + ";".join(f"{low:.10g},{high:.10g}" for low, high in pairs)]


def _gray(tensor: Tensor) -> bool:
    """Whether a picture input has one channel, for which there is only one order."""
    dims = dims_of(tensor.layout or "", tensor.shape or [])
    return dims is not None and dims.c == 1
