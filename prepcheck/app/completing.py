"""A plan that tells only what a network wants and how pictures are prepared, completed for one model at hand.

What it takes from the usual way (`app.defaults`): the buffers and the calls that hand the picture over. What it settles:
value steps with `where: unknown`. An .rknn applies the mean and std that it states, so there the application hands over
pixels and such steps fall away (rules compare the model's own lists with `training`). An .rknn that states mean 0 and std 1
applies nothing: there, and for every other runtime, the steps are the application's, which hands over their values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from prepcheck.app.defaults import default_plan, for_one_picture
from prepcheck.contract.contract import Contract, Tensor
from prepcheck.core.layouts import Dims, dims_of, is_static
from prepcheck.core.rockchip import ZERO_COPY_ONLY
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
    """The completed document. Raises UsageError where it is for another runtime or for other inputs than the model's.

    A document with calls or buffers of its own keeps them.
    """
    runtime = contract.runtime or "generic"
    if runtime in ("onnx", "tflite"):
        contract = for_one_picture(contract)
    said = document.get("runtime")
    usual = default_plan(contract, images, resize_library=resize_library)
    if said is not None and said not in (usual["runtime"], "generic"):
        raise UsageError(
            f"the plan is for {said}, and the model is one for {runtime}: give the model that the plan is for"
        )
    found: dict[str, object] = {**document, "runtime": usual["runtime"]}
    if "platform" in usual:
        found.setdefault("platform", usual["platform"])
    if document.get("calls") or document.get("buffers"):
        return found
    parts: dict[str, object] = {k: usual[k] for k in ("buffers", "calls", "steps")}
    about = document.get("about")
    multiple = about.get("multiple_of") if isinstance(about, dict) else None
    for tensor, steps in _inputs(contract, document.get("steps")):
        one = _Input(tensor, tensor.name or f"inputs[{contract.inputs.index(tensor)}]", runtime, found.get("platform"))
        parts = one.completed(parts, steps, multiple if isinstance(multiple, int) else None)
    return {**found, **{k: v for k, v in parts.items() if v}}


def _inputs(contract: Contract, steps: object) -> list[tuple[Tensor, list[object]]]:
    """(input, its steps) for what the document tells."""
    if isinstance(steps, dict):
        by_name = {t.name: t for t in contract.inputs}
        missing = [name for name in steps if name not in by_name]
        if missing:
            raise UsageError(
                f"the plan has steps for {', '.join(map(str, steps))}; the model's inputs are "
                f"{', '.join(str(t.name) for t in contract.inputs)}: rename them in a copy of the plan"
            )
        return [(by_name[name], list(own)) for name, own in steps.items() if isinstance(own, list)]
    picture = image_input(contract)
    if picture is None and len(contract.inputs) == 1:
        picture = contract.inputs[0]
    return [(picture, list(steps))] if picture is not None and isinstance(steps, list) and steps else []


class _Input:
    """One input whose steps are completed."""

    def __init__(self, tensor: Tensor, name: str, runtime: str, platform: object) -> None:
        self.tensor = tensor
        self.name = name
        self.rknn = runtime in ("rknn", "rknn1")
        self.pixels_only = platform in ZERO_COPY_ONLY

    def completed(
        self, parts: Mapping[str, object], steps: Sequence[object], multiple: int | None
    ) -> dict[str, object]:
        """Buffers, calls and steps of the plan with this input's own."""
        known = [dict([_parts(s)]) for s in steps]
        valued = any(_parts(s)[0] in VALUED for s in known)
        inside = self.rknn and not (valued and self._applies_nothing and not self.pixels_only)
        settled = settle(known, inside=inside)
        dims = dims_of(self.tensor.layout or "", self.tensor.shape or [])
        if multiple is not None and dims is not None and is_static([dims.h, dims.w]):
            settled = fit(settled, dims, multiple)
        buffers, calls, all_steps = (
            dict(v) if isinstance(v := parts.get(k), dict) else v for k in ("buffers", "calls", "steps")
        )
        assert isinstance(buffers, dict)
        given = dict(buffers.get(self.name) or {})
        if not self.rknn:
            settled = self._as_values(settled, given)
        elif not inside and valued:
            settled = [*settled, {"cast": {"dtype": "float32"}}]
            calls = self._as_floats(given, calls)
        buffers[self.name] = _recolored(given, settled)
        return {
            "buffers": buffers,
            "calls": calls,
            "steps": {**(all_steps if isinstance(all_steps, dict) else {}), self.name: settled},
        }

    @property
    def _applies_nothing(self) -> bool:
        mean, std = self.tensor.mean, self.tensor.std
        return mean is not None and std is not None and not any(mean) and all(s == 1 for s in std)

    def _as_values(self, steps: list[Value], given: dict[str, object]) -> list[Value]:
        """The end of the steps where the application hands over the model's own type, in the buffer's order."""
        kinds = {_parts(s)[0] for s in steps}
        dtype = self.tensor.dtype or "float32"
        if kinds & set(VALUED) or dtype == "int8":
            given.pop("range", None)
        if "quantize" not in kinds and "cast" not in kinds:
            if dtype.startswith(("float", "bfloat")):
                steps = [*steps, {"cast": {"dtype": dtype}}]
            elif self.tensor.scale and kinds & set(VALUED):
                codes: Table = {"dtype": dtype, "scale": self.tensor.scale, "zero_point": self.tensor.zero_point or 0}
                steps = [*steps, {"quantize": codes}]
        if "transpose" not in kinds and given.get("layout") == "NCHW":
            steps = [*steps, {"transpose": {"to": "NCHW"}}]
        return steps

    def _as_floats(self, given: dict[str, object], calls: object) -> object:
        """The buffer and the rknn_inputs_set field for float32 in place of pixels."""
        size = given.get("size")
        size = size * 4 if isinstance(size, int) and given.get("dtype") == "uint8" else size
        given.pop("range", None)
        given.update({"dtype": "float32", "size": size})
        changed = []
        for call in calls if isinstance(calls, list) else []:
            fields = [
                {**f, "type": "FLOAT32", "size": size} if f.get("buffer") == self.name else f
                for f in call.get("inputs", [])
            ]
            changed.append({**call, "inputs": fields} if fields else call)
        return changed


def settle(steps: Sequence[Mapping[str, Value]], *, inside: bool) -> list[Value]:
    """The steps with every `where: unknown` of a value step answered: left out where the model does it, else the host's."""
    found: list[Value] = []
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
    changed: list[Value] = list(steps)
    last = max((i for i, s in enumerate(steps) if _parts(s)[0] in PICTURE), default=None)
    if last is None or dims.w % multiple or dims.h % multiple:
        return changed
    kind, arguments = _parts(steps[last])
    key = "center" if kind == "crop" else "size"
    if key not in arguments:
        return changed
    changed[last] = {kind: {**arguments, key: [dims.w, dims.h]}}
    if kind == "crop" and last:
        before, own = _parts(steps[last - 1])
        old, side = arguments[key], own.get("shorter")
        if before == "resize" and isinstance(side, int) and isinstance(old, list) and isinstance(old[0], int):
            changed[last - 1] = {
                before: {**own, "shorter": max(dims.w, dims.h, round(side * min(dims.w, dims.h) / old[0]))}
            }
    return changed


def _recolored(buffer: dict[str, object], steps: Sequence[Value]) -> dict[str, object]:
    """The buffer with the colour order that the steps end in."""
    found = dict(buffer)
    for step in steps:
        kind, arguments = _parts(step)
        color = arguments.get("color") if kind == "decode" else arguments.get("to") if kind == "convert_color" else None
        if color is not None:
            found["color"] = color
    return found


def _parts(step: object) -> tuple[str, Table]:
    if isinstance(step, Mapping) and len(step) == 1:
        ((kind, arguments),) = step.items()
        if isinstance(arguments, dict):
            return str(kind), arguments
    raise UsageError(f"a step is a table with one key: {str(step)[:60]}")
