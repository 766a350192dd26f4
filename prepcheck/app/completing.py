"""A plan that tells only what a network wants and how pictures are prepared, completed for one model at hand.

What it takes from the usual way (`app.defaults`): the buffers and the calls that hand the picture over. What it settles:
value steps with `where: unknown`. An .rknn applies the mean and std that it states itself, so there the application hands
over pixels and such steps fall away (rules compare the model's own lists with `training`); everywhere else they are the
application's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from prepcheck.app.defaults import default_plan
from prepcheck.contract.contract import Contract, Tensor
from prepcheck.core.layouts import Dims, dims_of, is_static
from prepcheck.errors import UsageError
from prepcheck.facts.world import image_input

if TYPE_CHECKING:
    from prepcheck.facts.world import ImageFacts

Value: TypeAlias = "None | bool | int | float | str | list[Value] | dict[str, Value]"
Table: TypeAlias = "dict[str, Value]"

PICTURE = ("resize", "letterbox", "crop")
VALUED = ("scale", "normalize")


def complete(
    document: Mapping[str, object],
    contract: Contract,
    images: Sequence[ImageFacts] = (),
    *,
    resize_library: str = "opencv",
) -> dict[str, object]:
    """The completed document. Raises UsageError where it is for another runtime than the model's.

    A document with calls or buffers of its own keeps them.
    """
    runtime = contract.runtime or "generic"
    said = document.get("runtime")
    usual = default_plan(contract, images, resize_library=resize_library)
    if said is not None and said != usual["runtime"] and not (said == "generic"):
        raise UsageError(
            f"the plan is for {said}, and the model is one for {runtime}: give the model that the plan is for"
        )
    found: dict[str, object] = {**document, "runtime": usual["runtime"]}
    if "platform" in usual:
        found.setdefault("platform", usual["platform"])
    if document.get("calls") or document.get("buffers"):
        return found
    steps = document.get("steps")
    tensor = _picture(contract, steps)
    if tensor is None or not isinstance(steps, (list, dict)) or not steps:
        return {**found, **{k: usual[k] for k in ("buffers", "calls", "steps") if usual.get(k)}}
    name = tensor.name or f"inputs[{contract.inputs.index(tensor)}]"
    own = steps if isinstance(steps, list) else steps.get(name)
    if not isinstance(own, list):
        raise UsageError(f"the plan's steps are for {', '.join(map(str, steps))}; the model's picture input is {name}")
    settled = settle(own, runtime)
    about = document.get("about")
    multiple = about.get("multiple_of") if isinstance(about, dict) else None
    dims = dims_of(tensor.layout or "", tensor.shape or [])
    if isinstance(multiple, int) and dims is not None and is_static([dims.h, dims.w]):
        settled = fit(settled, dims, multiple)
    settled = _with_size(settled, tensor, images)
    buffers, calls = usual["buffers"], usual["calls"]
    assert isinstance(buffers, dict)
    if runtime not in ("rknn", "rknn1"):
        settled, buffers = _as_values(settled, tensor, name, buffers)
    else:
        buffers = {**buffers, name: _recolored(buffers.get(name), settled)}
    all_steps = usual["steps"] if isinstance(usual["steps"], dict) else {}
    return {**found, "buffers": buffers, "calls": calls, "steps": {**all_steps, name: settled}}


def _picture(contract: Contract, steps: object) -> Tensor | None:
    if isinstance(steps, dict):
        named = [t for t in contract.inputs if t.name in steps]
        return named[0] if named else image_input(contract)
    return image_input(contract)


def settle(steps: Sequence[object], runtime: str) -> list[Value]:
    """The steps with every `where: unknown` of a value step answered for a runtime."""
    found: list[Value] = []
    inside = runtime in ("rknn", "rknn1")
    for step in steps:
        kind, arguments = _parts(step)
        if kind in VALUED and arguments.get("where") == "unknown":
            if not inside:
                found.append({kind: {**arguments, "where": "host"}})
            continue
        found.append({kind: arguments})
    return found


def fit(steps: Sequence[Value], dims: Dims, multiple: int) -> list[Value]:
    """The steps with the model's own size in place of the published one, where the network takes it."""
    if dims.w % multiple or dims.h % multiple:
        return list(steps)
    last = max((i for i, s in enumerate(steps) if _parts(s)[0] in PICTURE), default=None)
    if last is None:
        return list(steps)
    kind, arguments = _parts(steps[last])
    key = "center" if kind == "crop" else "size"
    changed: list[Value] = list(steps)
    if key not in arguments:
        return changed
    changed[last] = {kind: {**arguments, key: [dims.w, dims.h]}}
    return changed


def _with_size(steps: Sequence[Value], tensor: Tensor, images: Sequence[ImageFacts]) -> list[Value]:
    """The decode step with the picture's size."""
    image = next((i for i in images if i.input == tensor.name), None) or next(
        (i for i in images if i.input is None), None
    )
    if image is None:
        return list(steps)
    found: list[Value] = []
    for step in steps:
        kind, arguments = _parts(step)
        if kind == "decode":
            arguments = {**arguments, "size": list(image.size), "exif": arguments.get("exif") or "ignore"}
        found.append({kind: arguments})
    return found


def _as_values(
    steps: list[Value], tensor: Tensor, name: str, buffers: dict[str, object]
) -> tuple[list[Value], dict[str, object]]:
    """The end of the steps where the application hands over the model's own type: quantised or cast, in the buffer's order."""
    buffer = buffers.get(name)
    given = dict(buffer) if isinstance(buffer, dict) else {}
    given.pop("range", None)
    kinds = {_parts(s)[0] for s in steps}
    dtype = tensor.dtype or "float32"
    if "quantize" not in kinds and "cast" not in kinds:
        if dtype.startswith(("float", "bfloat")):
            steps = [*steps, {"cast": {"dtype": dtype}}]
        elif tensor.scale and kinds & set(VALUED):
            steps = [
                *steps,
                {"quantize": {"dtype": dtype, "scale": tensor.scale, "zero_point": tensor.zero_point or 0}},
            ]
    if "transpose" not in kinds and given.get("layout") == "NCHW":
        steps = [*steps, {"transpose": {"to": "NCHW"}}]
    return steps, {**buffers, name: _recolored(given, steps)}


def _recolored(buffer: object, steps: Sequence[Value]) -> dict[str, object]:
    """The buffer with the colour order that the steps end in."""
    found = dict(buffer) if isinstance(buffer, dict) else {}
    for step in steps:
        kind, arguments = _parts(step)
        color = arguments.get("color") if kind == "decode" else arguments.get("to") if kind == "convert_color" else None
        if color is not None:
            found["color"] = color
    return found


def _parts(step: object) -> tuple[str, Table]:
    if isinstance(step, dict) and len(step) == 1:
        ((kind, arguments),) = step.items()
        if isinstance(arguments, dict):
            return str(kind), arguments
    raise UsageError(f"a step is a table with one key: {str(step)[:60]}")
