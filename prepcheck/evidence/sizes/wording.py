"""From what the search found to readings: equations, texts and their values."""

from __future__ import annotations

from math import prod

from prepcheck.evidence.sizes.facts import Facts
from prepcheck.evidence.sizes.result import Part, Reading, Value
from prepcheck.evidence.sizes.search import Found
from prepcheck.evidence.sizes.texts import CHANNEL_NAMES, HEADERS, TEXTS, WIDTH_TYPE, WIDTH_TYPES

_RATIO = frozenset({"dtype", "batch", "dtype+batch"})
"""Kinds in which both sides are the same tensor, so many times."""


def reading(found: Found, facts: Facts, probability: float) -> Reading:
    """One reading with its equation and words."""
    values = _values(found, facts)
    parts = tuple(_part(name, found, facts, values) for name in found.kind.split("+"))
    shown = {key: value for key, value in values.items() if key not in ("got", "want")}
    fits = found.kind != "encoded"
    return Reading(
        found.kind, found.label[1:], parts[0].category, _equation(found, facts), probability, parts, shown, fits
    )


_PICTURES = frozenset({"frame", "yuv_tensor", "frame+height_align"})
"""Faults whose given side is a picture, without the axes of the tensor."""


def _side(found: Found, items: int, width: int, expression: str, tensor: bool = True) -> str:
    """One count as `items × width × (axes)`; a stated leading axis stands among the axes of a tensor."""
    lead = found.hit.seen.lead if found.hit.seen is not None and tensor else 0
    factors = []
    if lead and lead in (1, items):
        expression = f"{lead}·{expression}"
        items //= lead
    if items > 1:
        factors.append(items)
    if width > 1:
        factors.append(width)
    return "".join(f"{factor} × " for factor in factors) + (f"({expression})" if factors else expression)


def _equation(found: Found, facts: Facts) -> str:
    got, want, kind = facts.got, facts.want, found.kind
    (few, many), (_, given, wanted) = found.items, found.widths
    if kind in ("struct", "other_input"):
        return f"{max(got, want)} = {min(got, want)} + {abs(got - want)}"
    right = _side(found, many, wanted, found.hit.side("wanted"))
    if kind == "encoded":
        return f"{want} = {right}" if right != str(want) else ""
    left = _side(found, few, given, found.hit.side("given"), found.hit.fault not in _PICTURES)
    if kind.endswith("header"):
        return f"{got} = {found.hit.values['header']} + {left}; {want} = {right}"
    if kind in _RATIO and not max(got, want) % min(got, want):
        return _ratio(found, facts, left, right)
    return f"{got} = {left}; {want} = {right}"


def _ratio(found: Found, facts: Facts, left: str, right: str) -> str:
    """`3240000 = 100 × 32400 = 100 × (1·3·120·90)`.

    Where no shape was stated, an example of one stands in a clause of its own.
    """
    got, want = facts.got, facts.want
    (few, many), (_, given, wanted) = found.items, found.widths
    small, large = min(got, want), max(got, want)
    factors = [many // few, wanted // given] if want > got else [few // many, given // wanted]
    if prod(factors) * small != large:  # the two faults pull in opposite directions
        factors = [large // small]
    chain = f"{large} = {''.join(f'{factor} × ' for factor in factors if factor > 1)}{small}"
    small_side, large_side = (left, right) if want > got else (right, left)
    if facts.shape is not None:
        return f"{chain} = {large_side}"
    if small_side == str(small) or found.hit.seen is None or found.hit.seen.family == "vector":
        return chain
    return f"{chain}; {small} = {small_side}"


def _values(found: Found, facts: Facts) -> dict[str, Value]:
    """All numbers of the hypothesis, by name."""
    (few, many), (_, given, wanted) = found.items, found.widths
    values: dict[str, Value] = {"got": facts.got, "want": facts.want, **found.hit.values}
    kinds = found.kind.split("+")
    if "dtype" in kinds:
        values |= {"given_bytes": given, "given_types": _types(given, facts)}
        values |= {"wanted_bytes": wanted, "wanted_types": _types(wanted, facts), "wanted_type": WIDTH_TYPE[wanted]}
    if "batch" in kinds:
        values |= {"given_items": few, "batch": many, "item": facts.want // many, "images": max(few, many)}
    if "channels" in kinds:
        for side in ("given", "wanted"):
            values[f"{side}_name"] = CHANNEL_NAMES[int(values[f"{side}_channels"])]
    if "frame" in kinds:
        values["pixels"] = int(values["given_width"]) * int(values["given_height"])
    if "other_size" in kinds:
        values["ratio"] = f"{facts.got / facts.want:.4g}"
    if "header" in kinds:
        values["file"] = HEADERS.get(int(values["header"]), "some header")
    return values


def _types(width: int, facts: Facts) -> str:
    """What elements of `width` bytes are called: the stated type where it has that width."""
    return facts.dtype if facts.dtype is not None and facts.width == width else WIDTH_TYPES[width]


def _part(name: str, found: Found, facts: Facts, values: dict[str, Value]) -> Part:
    text = TEXTS[_form(name, found, facts)]
    return Part(name, text.category, text.message, text.fix, values)


def _form(name: str, found: Found, facts: Facts) -> str:
    """Which text of a kind: by direction, by runtime, by what a number is known for."""
    (few, many), (model, given, wanted) = found.items, found.widths
    if name == "dtype":
        if given == 8:
            return "dtype_wide"
        rknn = not {"rknn", "rknn1"}.isdisjoint(facts.runtimes())
        return "dtype_unset" if rknn and wanted == 4 > given and model != wanted else "dtype"
    if name == "batch":
        if few > many:
            return "batch_reverse"
        if facts.runtimes() == ("mnn",):
            return "batch_mnn"
        return "batch_calibration" if many == 100 and "rknn1" in facts.runtimes() else "batch"
    if name in ("nc4hw4", "nc1hwc2", "row_stride", "height_align"):
        way = "unpack" if "unpack" in found.label else "pack"
        if name == "row_stride" and found.hit.fault != "row_stride":
            name = "pitch"
        return f"{name}_{'pack' if found.kind == 'frame+height_align' else way}"
    if name == "frame":
        return "frame" if len(found.hit.key) == 3 else "frame_other"
    if name == "axis_short" and facts.shape is None:
        return "axis_free"
    if name == "other_size" and found.hit.fault == "map_size":
        return "other_map"
    return name
