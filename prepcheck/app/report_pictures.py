"""One input's picture as it should arrive in the network and as it does, with what the difference amounts to."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from prepcheck.app.expected import Prospect, decode_color, prospect
from prepcheck.app.report_convert import convert_step, converted, source_color
from prepcheck.app.report_reading import (
    Floats,
    NothingArrives,
    ValueScale,
    made,
    told,
    value_scale,
    values_read,
)
from prepcheck.contract.steps import Cast, Decode, Letterbox, Resize, Scale, Step
from prepcheck.errors import PrepcheckError
from prepcheck.facts.path import steps_for
from prepcheck.forensics.model import BufferSpec
from prepcheck.pixels.run import run_steps
from prepcheck.readers.arrays import load_array, npy_header, read_bytes
from prepcheck.readers.images import decode
from prepcheck.render.html.model import ChannelValues, Effect, Histogram, Note, Views

if TYPE_CHECKING:
    from prepcheck.app.report_convert import Converted
    from prepcheck.contract.contract import Tensor
    from prepcheck.contract.plan import Training
    from prepcheck.facts.diagnosis import BufferDiagnosis
    from prepcheck.facts.world import World

Bytes = NDArray[np.uint8]
T = TypeVar("T", bound=np.generic)
PathLike = str | os.PathLike[str]
BINS = 96
COMPARED = 1 << 22
"""Pixels of an input that are compared at most (2048 x 2048); of larger ones every so many rows and columns."""
LARGEST = 1 << 24
"""Pixels of an input of which pictures are made at all."""
SAMPLE = 1 << 20
"""Elements that shares, levels and histograms are counted over at most; differences are measured over all of them."""
SPREAD = 0.5
"""Percentiles that a histogram's axis leaves out at either end: single values must not squeeze the rest."""


@dataclass(frozen=True, slots=True)
class Given:
    """What there is for one input: the picture, the submitted bytes (a path or an array) and what was found in them."""

    image: PathLike
    buffer: PathLike | NDArray[np.generic] | None = None
    diagnosis: BufferDiagnosis | None = None
    max_pixels: int = 64_000_000


def views_of(world: World, position: int, given: Given) -> tuple[Views | None, list[Note]]:
    """The pictures of one input, and notes on what could not be shown or was assumed."""
    contract = world.contract
    assert contract is not None
    tensor = contract.inputs[position]
    dims = world_dims(tensor)
    if dims is not None and dims[0] * dims[1] > LARGEST:
        large = _("The input takes {n} pixels; pictures are made of inputs up to {limit}.")
        return None, [Note(large, {"n": dims[0] * dims[1], "limit": LARGEST})]
    convert = convert_step(world, position) if given.buffer is None else None
    world, assumed = _with_steps(world, position, tensor) if convert is None else (world, False)
    color = decode_color(world, position) if convert is None else source_color(*convert)
    try:
        image = decode(given.image, color, max_pixels=given.max_pixels)
    except PrepcheckError as error:
        return None, [Note(_("No picture is shown: {reason}"), {"reason": error.message})]
    source = shown(image if image.ndim == 3 else image[:, :, None], color)
    try:
        if convert is not None:
            return _converted_views(converted(world, *convert, image, color), source)
        outlook = prospect(world, position, image, color, [])
    except PrepcheckError as error:
        return Views(source), [Note(_("Only the image is shown: {reason}"), {"reason": error.message})]
    notes: list[Note] = []
    if assumed:
        notes.append(Note(_("The plan states no steps for this input: the usual path is assumed, up to the buffer.")))
    training = world.training_of(tensor)
    right, wanted, changed = _right(image, color, world, position, outlook, training)
    if changed:
        notes.append(Note(_("What the network should see follows model.training: {what}."), {"what": changed}))
    if outlook.expected.spec.batch > 1:
        notes.append(
            Note(_("Shown is the first of the {n} pictures of the batch."), {"n": outlook.expected.spec.batch})
        )
    try:
        spec, data, origin = _given(world, position, outlook, given)
    except NothingArrives as nothing:
        return Views(source, shown(right, wanted)), [*notes, Note(nothing.template)]
    scale = value_scale(outlook.expected.spec if spec.scale is None else spec, tensor, training, outlook.settled)
    size, step = (right.shape[1], right.shape[0]), _step(right.shape)
    right, values = right[::step, ::step], values_read(spec, data, step)
    if values.shape != right.shape:
        wanted_shape, got = " x ".join(map(str, right.shape)), " x ".join(map(str, values.shape))
        note = Note(
            _("What is handed over is read as {got}, the input takes {want}: no picture of it."),
            {"got": got, "want": wanted_shape},
        )
        return Views(source, shown(right, wanted)), [*notes, note]
    views = replace(_views(source, right, wanted, values, scale, origin), size=size)
    if origin != "buffer" and not changed and views.effect is not None and views.effect.largest == 0:
        # nothing but the path itself says what would be right: a picture compared with itself tells nothing
        notes.append(
            Note(_("Nothing was submitted to compare with: give the bytes with --buffer, or state model.training."))
        )
        views = replace(views, right=None, difference=None, effect=None)
    return views, notes


def _converted_views(done: Converted, source: Bytes) -> tuple[Views | None, list[Note]]:
    """The same where MNN's ImageProcess writes the input."""
    if done.right is not None:
        return _views(source, done.right, done.wanted, done.values, done.scale, "plan"), []
    pixels = np.clip(np.rint(np.nan_to_num(done.scale.pixels(done.values))), 0, 255).astype(np.uint8)
    views = _views(source, pixels, done.wanted, done.values, done.scale, "plan")
    note = Note(_("State model.training with resize, and what the network should see is shown beside it."))
    return replace(views, right=None, difference=None, effect=None), [note]


def _(text: str) -> str:
    """Marks a template for the catalogue; the page translates it."""
    return text


def _with_steps(world: World, position: int, tensor: Tensor) -> tuple[World, bool]:
    """The world with the usual steps for an input of which the plan tells a buffer but no step."""
    plan, contract = world.plan, world.contract
    if plan is None or contract is None or steps_for(world, position):
        return world, False
    dims = world_dims(tensor)
    if dims is None:
        return world, False
    name = tensor.name or f"inputs[{position}]"
    buffer = plan.buffers.get(_fed(world, position) or "")
    width, height, channels = dims
    color = (buffer.color if buffer is not None else None) or {1: "GRAY", 4: "RGBA"}.get(channels, "RGB")
    steps = [
        Step.made(decode=Decode.made(color=color, library="pillow", exif="ignore")),
        Step.made(resize=Resize.made(size=[width, height])),
    ]
    span = buffer.range if buffer is not None else None
    if span is not None and list(span) != [0, 255] and span[1] > span[0]:
        steps.append(Step.made(scale=Scale.made(by=(span[1] - span[0]) / 255.0, offset=float(span[0]))))
    if buffer is not None and buffer.dtype is not None and buffer.dtype.startswith("float"):
        steps.append(Step.made(cast=Cast.made(dtype=buffer.dtype)))
    known = plan.steps if isinstance(plan.steps, dict) else {}
    return replace(world, plan=plan.model_copy(update={"steps": {**known, name: steps}}), cache={}, memo={}), True


def _fed(world: World, position: int) -> str | None:
    """The buffer whose content reaches an input."""
    from prepcheck.facts.base import things
    from prepcheck.facts.handover import HandoverThing

    for thing in things(world, "handover"):
        if isinstance(thing, HandoverThing) and thing.handover.input == position:
            return thing.source_name
    return None


def world_dims(tensor: Tensor) -> tuple[int, int, int] | None:
    """Width, height and channels of an input that takes a picture of a fixed size."""
    from prepcheck.core.layouts import dims_of, is_static

    shape = tensor.shape or []
    dims = dims_of(tensor.layout or "", shape) if len(shape) == 4 and is_static(shape) else None
    return (dims.w, dims.h, dims.c) if dims is not None and dims.c in (1, 3, 4) else None


def _right(
    image: Bytes, color: str, world: World, position: int, outlook: Prospect, training: Training | None
) -> tuple[Bytes, str, str]:
    """Pixels at the model's size as training had them, their colour order, and what of it differs from the steps."""
    pixels, have = np.asarray(outlook.expected.pixels, np.uint8), outlook.run.color
    if training is None:
        return pixels, have, ""
    changed: list[str] = []
    height, width = pixels.shape[:2]
    had = outlook.run.states[-1].geometry
    if training.resize in ("letterbox", "stretch") and had in {"letterbox", "stretch"} - {training.resize}:
        size = [width, height]
        boxed = Letterbox.made(size=size, fill=114 if training.fill is None else training.fill, align=training.align)
        step = (
            Step.made(letterbox=boxed) if training.resize == "letterbox" else Step.made(resize=Resize.made(size=size))
        )
        own = [s for s in steps_for(world, position) if s.convert_color is not None]
        run = run_steps(image, color, [*own, step])
        pixels, have = run.picture, run.color
        changed.append(training.resize)
    pair = {have, training.color}
    if training.color is not None and pair in ({"RGB", "BGR"}, {"RGBA", "BGRA"}):
        order = [2, 1, 0, 3][: pixels.shape[2]]
        pixels, have = np.ascontiguousarray(pixels[..., order]), training.color
        changed.append(training.color)
    if training.range is not None or training.mean is not None:
        changed.append("normalize")
    return pixels, have, ", ".join(changed)


def _given(world: World, position: int, outlook: Prospect, given: Given) -> tuple[BufferSpec, Bytes, str]:
    """How to read the bytes that reach the input, the bytes, and where they come from."""
    spec = outlook.expected.spec
    if given.buffer is None:
        origin = "plan" if world.declared else "assumed"
        return told(world, position, spec), made(outlook.expected.pixels, spec), origin
    if given.diagnosis is not None and given.diagnosis.verdict in ("ok", "cannot_tell"):
        others = [s for s in outlook.expected.handovers if s.label == given.diagnosis.handover]
        spec = others[0] if others and given.diagnosis.handover != spec.label else spec
    return spec, _bytes(given.buffer), "buffer"


def _bytes(buffer: PathLike | NDArray[np.generic]) -> Bytes:
    if not isinstance(buffer, np.ndarray):
        shown_name = os.fspath(buffer)
        data = read_bytes(buffer)
        if npy_header(data, shown_name) is None:
            return np.frombuffer(data, np.uint8)
        buffer = load_array(data, shown_name, None, None)
    array = np.ascontiguousarray(buffer)
    return array.astype(array.dtype.newbyteorder("<"), copy=False).reshape(-1).view(np.uint8)


def shown(pixels: NDArray[np.generic], color: str) -> Bytes:
    """Pixels in any colour order as H x W x 3 RGB for the eye: alpha left out, grey three times, values cut to 0..255."""
    if pixels.dtype == np.uint8:
        clipped = pixels.astype(np.uint8, copy=False)
    else:
        clipped = np.clip(np.rint(np.nan_to_num(pixels.astype(np.float32), nan=128.0)), 0, 255).astype(np.uint8)
    if clipped.shape[2] < 3:
        return np.repeat(clipped[:, :, :1], 3, axis=2)
    order = [2, 1, 0] if color in ("BGR", "BGRA") else [0, 1, 2]
    return np.ascontiguousarray(clipped[..., order])


def _step(shape: tuple[int, ...]) -> int:
    """Every how many rows and columns are compared: all, up to COMPARED pixels."""
    return int(max(1.0, np.ceil(np.sqrt(shape[0] * shape[1] / COMPARED))))


def _views(source: Bytes, right: Bytes, wanted: str, values: Floats, scale: ValueScale, origin: str) -> Views:
    with np.errstate(over="ignore", invalid="ignore"):
        seen = scale.pixels(values)
        apart = np.minimum(np.abs(seen - right), np.float32(1e6))
    # a difference that no code could show is none: half a step of the input's codes, and the rounding of half floats
    slack = 0.05 if scale.step is None else float(np.max(np.abs(scale.step / scale.a))) * 0.51
    apart[apart <= min(slack, 2.0)] = 0.0
    effect = _effect(right, values, apart, scale)
    heat = np.where(np.isnan(apart).all(axis=2), np.nan, np.fmax.reduce(apart, axis=2)).astype(np.float32)
    return Views(
        source, shown(right, wanted), shown(np.clip(seen, -1e6, 1e6), wanted), np.minimum(heat, 255.0), effect,
        _histogram(right, values, scale, wanted), origin,
    )  # fmt: skip


def _effect(right: Bytes, values: Floats, apart: Floats, scale: ValueScale) -> Effect:
    counted = np.where(np.isnan(apart), 255.0, apart)  # never written: as far away as can be
    error = float(np.mean(counted**2, dtype=np.float64))
    some = _some(values)
    known, wanted = some[np.isfinite(some)], scale.values(_some(right))
    sure = scale.settled
    cut = None if scale.held is None else _cut(known, scale)
    cut_right = None if scale.held is None or not sure else _cut(wanted, scale)
    return Effect(
        psnr=float("inf") if error == 0 else 10 * float(np.log10(255.0**2 / error)),
        mean=float(counted.mean()), largest=float(counted.max(initial=0.0)), changed=float((counted > 2).mean()),
        levels=_levels(known, scale), levels_right=_levels(wanted.reshape(-1), scale) if sure else None, cut=cut, cut_right=cut_right,
    )  # fmt: skip


def _some(picture: NDArray[T]) -> NDArray[T]:
    """All of a picture, or every so many rows of a large one: for shares, levels and curves."""
    return picture[:: max(1, picture.size // SAMPLE)]


def _cut(values: Floats, scale: ValueScale) -> float:
    """Share of the values that lie more than half a code beyond what the codes hold."""
    assert scale.held is not None
    slack = (scale.step or 0.0) / 2 + 1e-6
    return float(((values < scale.held[0] - slack) | (values > scale.held[1] + slack)).mean()) if values.size else 0.0


def _levels(values: Floats, scale: ValueScale) -> int:
    """Distinct values that the network gets: codes, where the input has them."""
    if scale.held is not None and scale.step:
        values = np.rint(np.clip(values, *scale.held) / scale.step)
    return int(np.unique(values.astype(np.float32)).size)


def _histogram(right: Bytes, values: Floats, scale: ValueScale, wanted: str) -> Histogram:
    right, values = _some(right), _some(values)
    finite = values[np.isfinite(values)]
    low, high = (float(v) for v in np.percentile(finite, (SPREAD, 100 - SPREAD))) if finite.size else (0.0, 1.0)
    full = scale.values(np.repeat(np.array([[[0], [255]]]), right.shape[2], axis=2))
    ends = [low, high, float(full.min()), float(full.max()), *(scale.held or ())]
    low, high = max(-1e30, min(ends)), min(1e30, max(ends))
    edges = np.linspace(low, high if high > low else low + 1.0, BINS + 1)
    expected = scale.values(right)
    names = "Y" if right.shape[2] == 1 else wanted
    channels = []
    for c in range(right.shape[2]):
        known = values[..., c][np.isfinite(values[..., c])]
        got = np.histogram(np.clip(known, edges[0], edges[-1]), edges)[0]
        channels.append(ChannelValues(names[c], np.histogram(expected[..., c], edges)[0], got))
    return Histogram(float(edges[0]), float(edges[-1]), tuple(channels), scale.held, scale.in_network)
