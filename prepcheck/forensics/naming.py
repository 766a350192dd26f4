"""From an explanation to the names of its faults and their parameters, in the order in which they happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from prepcheck.core.dtypes import itemsize
from prepcheck.forensics.filters import FAMILY, legal_for
from prepcheck.forensics.model import BufferSpec, Fault, Pixels, Value
from prepcheck.forensics.poses import faults_of
from prepcheck.forensics.views import View, expected_view

if TYPE_CHECKING:
    from prepcheck.forensics.case import Case
    from prepcheck.forensics.trial import Trial

ORDER: Final = (
    "different_image", "stale_buffer", "uv_swapped", "yuv_range", "yuv_matrix", "gray_replicated",
    "flipped_vertical", "flipped_horizontal", "rotated", "transposed", "wrong_interpolation",
    "stretched_instead_of_letterbox", "letterbox_instead_of_stretch", "letterbox_fill", "letterbox_alignment",
    "center_crop", "shifted", "channels_swapped", "inverted", "not_normalized", "scaled_0_1", "normalized_on_host",
    "normalized_twice", "mean_std_swapped", "yuv_as_rgb", "signed_offset", "alpha_channel",
    "planar_instead_of_interleaved", "interleaved_instead_of_planar", "nc4hw4_packing", "nc1hwc2_packing",
    "float32_bytes", "float16_bytes", "byte_order", "row_stride", "header_offset", "partial_fill", "batch_partial",
    "constant_buffer", "encoded_bytes",
)  # fmt: skip
"""Every fault, in the order in which a pipeline could commit them: decode, colour, place, values, layout, bytes."""
_RANK: Final = {name: i for i, name in enumerate(ORDER)}
_PLACING: Final = ORDER.index("flipped_vertical"), ORDER.index("channels_swapped")


@dataclass(frozen=True, slots=True)
class Partial:
    """Right up to `rows`; `rest`: an element value, `previous` or `older`. whole: rows of planes counted on through
    the planes (memory order), else rows of the picture."""

    rows: int
    rest: Value
    through: bool = False


def _rank(fault: Fault) -> int:
    """Faults of place keep their own order among themselves: a turn may come before or after the resize."""
    rank = _RANK[fault.name]
    return _PLACING[0] if _PLACING[0] <= rank < _PLACING[1] else rank


def faults(case: Case, trial: Trial) -> tuple[Fault, ...]:
    """All faults of a trial."""
    spec, fit = case.spec, trial.fit
    out: list[Fault] = list(faults_of(trial.pose, spec, case.source, case.names))
    if trial.pose.resizer is not None and not legal_for(spec.filter, trial.pose.resizer):
        out.insert(
            0,
            Fault("wrong_interpolation", {"filter": FAMILY[trial.pose.resizer], "implementation": trial.pose.resizer}),
        )
    if fit.mix is not None:
        out.append(fit.mix.fault())
    layout = layout_faults(trial.view, spec, case.buffer, fit.swapped)
    if fit.swapped and not any(f.name == "alpha_channel" for f in layout):
        out.append(Fault("channels_swapped"))
    out += fit.values.faults
    out += layout
    if trial.partial is not None:
        out.append(Fault("partial_fill", {"rows": trial.partial.rows, "rest": trial.partial.rest}))
    return tuple(sorted(out, key=_rank))


def layout_faults(view: View, spec: BufferSpec, buffer: Pixels, swapped: bool) -> list[Fault]:
    """Faults of element type, packing, pitch and offset."""
    base = expected_view(spec)
    out: list[Fault] = []
    same_layout = (view.planar, view.stored) == (base.planar, base.stored)
    if not same_layout:
        out.append(_packing(view, spec, buffer, swapped))
    if view.dtype != spec.dtype:
        out.append(Fault(f"{view.dtype}_bytes"))
    if view.big_endian:
        out.append(Fault("byte_order"))
    step = (1 if view.planar else view.stored) * itemsize(view.dtype)
    packed, strided = view.width * step, (spec.w_stride or view.width) * step
    changed = not same_layout or view.dtype != spec.dtype or (view.height, view.width) != (base.height, base.width)
    natural = {packed, strided} if changed else {spec.pitch}
    if view.pitch not in natural:
        out.append(Fault("row_stride", {"got": view.pitch, "want": strided}))
    if view.offset:
        out.append(Fault("header_offset", {"bytes": view.offset}))
    return out


def _packing(view: View, spec: BufferSpec, buffer: Pixels, swapped: bool) -> Fault:
    packed = spec.layout if spec.layout in ("NC4HW4", "NC1HWC2") else None
    if packed and view.stored <= spec.channels:
        plain = "NCHW" if view.planar else "NHWC"
        name = "nc4hw4_packing" if packed == "NC4HW4" else "nc1hwc2_packing"
        return Fault(name, {"direction": "plain", "c2": spec.stored, "layout": plain})
    if view.stored > spec.channels:
        fill = padding(view, buffer)
        if (
            view.stored == 4
            and spec.channels == 3
            and not packed
            and not spec.planar
            and (fill != 0 or spec.itemsize == 1)
        ):
            order = (spec.color[::-1] if swapped else spec.color) + "A"
            return Fault("alpha_channel", {"order": order if not view.first else "A" + order[:-1], "alpha": fill})
        if view.stored == 4 and fill != 0 and spec.channels == 3:
            return Fault("alpha_channel", {"order": (spec.color[::-1] if swapped else spec.color) + "A", "alpha": fill})
        if view.stored == 4 and packed != "NC1HWC2":
            return Fault("nc4hw4_packing", {"direction": "packed", "c2": 4})
        return Fault("nc1hwc2_packing", {"direction": "packed", "c2": view.stored})
    return Fault("planar_instead_of_interleaved" if view.planar else "interleaved_instead_of_planar")


def padding(view: View, buffer: Pixels) -> float | None:
    """The value of the channels beyond the picture's, None where they are not all equal."""
    size = itemsize(view.dtype)
    start = view.offset + (0 if view.first else view.channels * size)
    stop = min(len(buffer), view.offset + view.pitch * min(view.height, 64))
    part = buffer[start:stop]
    step = view.stored * size
    part = part[: len(part) // step * step].reshape(-1, step)[:, :size]
    if not len(part) or (part != part[0]).any():
        return None
    kind = {("u", 1): "u1", ("i", 1): "i1"}.get((view.dtype[0], size), {2: "f2", 4: "f4"}.get(size, "u1"))
    if view.dtype.startswith("int") and size > 1:
        kind = f"i{size}"
    return float(np.frombuffer(part[0].tobytes(), ("<" if not view.big_endian else ">") + kind)[0])
