"""Equal byte counts: the size is right, and it hides what the shapes may show."""

from __future__ import annotations

from typing import cast

from prepcheck.core.layouts import CHANNELS_FIRST, Dims, dims_of, shape_in
from prepcheck.evidence.sizes.facts import Facts
from prepcheck.evidence.sizes.result import Part, Reading, SizeExplanation, Value
from prepcheck.evidence.sizes.table import table
from prepcheck.evidence.sizes.texts import TEXTS


def explain_equal(facts: Facts) -> SizeExplanation:
    """What equal counts cannot tell apart. The probabilities say how often each is the cause of a wrong answer that has
    one of these causes; "none of these" is what the prior leaves for other causes."""
    share = {key: cast("float", value) for key, value in table().section("equal").items() if key != "basis"}
    found: list[tuple[float, str, str, dict[str, Value]]] = []
    dims = _dims(facts)
    if dims is not None and facts.shape is not None:
        stated, other = _orders(facts)
        swapped = shape_in(other, dims)
        if swapped is not None and dims.c > 1 and dims.h * dims.w > 1:
            values: dict[str, Value] = {
                "shape": _cross(facts.shape),
                "swapped": _cross(swapped),
                "stated": stated,
                "other": other,
            }
            elements = dims.elements
            equation = f"{_times(facts.shape)} = {_times(swapped)} = {elements}"
            found.append((share["axis_order"], "axis_order", equation, {**values, "elements": elements}))
        if dims.h != dims.w:
            values = {"height": dims.h, "width": dims.w, "area": dims.h * dims.w}
            equation = f"{dims.h}·{dims.w} = {dims.w}·{dims.h} = {dims.h * dims.w}"
            found.append((share["transposed"], "transposed", equation, values))
    if facts.dtype in ("int8", "uint8"):
        found.append((share["sign"], "sign", f"{facts.got} = {facts.want}", {}))
    if facts.shape is not None and len(facts.shape) == 4 and facts.shape[0] == 1 and facts.runtime in (None, "rknn"):
        values = {"without": _cross(facts.shape[1:]), "with_batch": _cross(facts.shape)}
        found.append((share["rank"], "rank", f"{_times(facts.shape)} = {_times(facts.shape[1:])}", values))
    total = sum(share.values())
    readings = [_reading(kind, equation, weight / total, facts, values) for weight, kind, equation, values in found]
    readings.sort(key=lambda each: -each.probability)
    rest = 1.0 - sum(each.probability for each in readings)
    return SizeExplanation(facts.got, facts.want, tuple(readings), rest, facts.remarks)


def _reading(kind: str, equation: str, probability: float, facts: Facts, values: dict[str, Value]) -> Reading:
    text = TEXTS[kind]
    part = Part(kind, text.category, text.message, text.fix, {"got": facts.got, "want": facts.want, **values})
    return Reading(kind, (), text.category, equation, probability, (part,), values)


def _orders(facts: Facts) -> tuple[str, str]:
    """The layout stated (or seen in the shape), and the one it is mistaken for."""
    shape = facts.shape or ()
    layout = facts.layout
    if layout is None or dims_of(layout, shape) is None:
        first = shape[-3] in (1, 3, 4) and shape[-1] not in (1, 3, 4)
        layout = ("NCHW" if first else "NHWC") if len(shape) == 4 else ("CHW" if first else "HWC")
    swap = {"NCHW": "NHWC", "NHWC": "NCHW", "NC4HW4": "NHWC", "CHW": "HWC", "HWC": "CHW"}
    return layout, swap.get(layout, "NCHW" if layout not in CHANNELS_FIRST else "NHWC")


def _dims(facts: Facts) -> Dims | None:
    if facts.shape is None or len(facts.shape) not in (3, 4):
        return None
    return dims_of(_orders(facts)[0], facts.shape)


def _cross(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape))


def _times(shape: tuple[int, ...]) -> str:
    return "·".join(map(str, shape))
