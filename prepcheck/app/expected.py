"""What should have been handed over for an image: the plan (or the default path) run on its pixels, and its legal forms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prepcheck.contract.contract import Tensor
from prepcheck.core.layouts import Dims, dims_of
from prepcheck.errors import UsageError
from prepcheck.facts.base import NotApplicable, Unstated, things
from prepcheck.facts.handover import HandoverThing
from prepcheck.facts.model import InputThing, applied_normalization
from prepcheck.facts.path import steps_for
from prepcheck.facts.world import World
from prepcheck.forensics.model import CHANNELS, BufferSpec, Expected, Geometry
from prepcheck.pixels.chain import State
from prepcheck.pixels.run import PixelRun, run_steps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.contract.steps import Step


@dataclass(frozen=True, slots=True)
class Prospect:
    """The expected buffer of one input. settled: normalisation is known. filter_stated: the plan names the filter."""

    expected: Expected
    settled: bool
    filter_stated: bool
    run: PixelRun


def decode_color(world: World, position: int) -> str:
    """The colour order in which the plan's decoder hands the picture on; RGB where it does not say."""
    for step in steps_for(world, position):
        if step.decode is not None and step.decode.color in CHANNELS:
            return str(step.decode.color)
    return "RGB"


def prospect(
    world: World, position: int, image: NDArray[np.uint8], color: str, previous: list[tuple[str, NDArray[np.uint8]]]
) -> Prospect:
    """The expected buffer for a decoded picture (H x W x C uint8 in `color`).

    Raises UsageError where the input is no picture, or where the plan's steps do not end in its size.
    """
    contract = world.contract
    if contract is None:
        raise UsageError("a buffer can only be judged against a model's contract")
    tensor = contract.inputs[position]
    thing = InputThing(world, tensor, position)
    try:
        dims = thing.dims
    except (Unstated, NotApplicable):
        raise UsageError(
            f"input {thing.label} {tensor.shape} is no picture of a fixed size: its bytes cannot be derived from an image"
        ) from None
    steps = steps_for(world, position)
    run = run_steps(image, color, steps)
    pixels = run.picture if run.picture.ndim == 3 else run.picture[:, :, None]
    if pixels.shape[:2] != (dims.h, dims.w) or pixels.shape[2] != dims.c:
        raise UsageError(
            f"the plan's steps end in {pixels.shape[1]}x{pixels.shape[0]} with {pixels.shape[2]} channels, the model takes "
            f"{dims.w}x{dims.h} with {dims.c}: mend the steps first, then compare the buffer"
        )
    spec = _spec(world, position, dims, run, replace_filter=_stated_filter(world, position))
    earlier = tuple((name, _frame(picture, color, steps, dims, world.declared)) for name, picture in previous)
    expected = Expected(
        image=image if image.ndim == 3 else image[:, :, None],
        color=color,
        pixels=pixels,
        spec=spec,
        handovers=tuple(_others(world, position, dims, spec)),
        previous=earlier,
        capacities=_capacities(tensor),
    )
    silent = world.runtime == "mnn" or contract.runtime in ("onnx", "tflite")  # the file says nothing of normalisation
    settled = not silent or _says_values(world, position)
    return Prospect(expected, settled, spec.filter is not None, run)


def _capacities(tensor: Tensor) -> tuple[int, ...]:
    """Bytes of the memory that a zero-copy program makes for the input: size_with_stride, as reported and native."""
    native = tensor.native.size_with_stride if tensor.native is not None else None
    return tuple(sorted({size for size in (tensor.size_with_stride, native) if size}))


def _frame(picture: NDArray[np.uint8], color: str, steps: list[Step], dims: Dims, declared: bool) -> NDArray[np.uint8]:
    """Another picture by the same steps. Steps that were only assumed were assumed for the first one's size: fitted here."""
    found = run_steps(picture, color, steps).picture
    if declared or found.shape[:2] == (dims.h, dims.w):
        return found
    from prepcheck.contract.steps import Resize, Step

    return run_steps(picture, color, [*steps, Step.made(resize=Resize.made(size=[dims.w, dims.h]))]).picture


def _says_values(world: World, position: int) -> bool:
    if not world.declared or world.contract is None:
        return False
    kinds = {s.kind for s in steps_for(world, position)}
    return (
        bool(kinds & {"scale", "normalize", "image_process"})
        or world.training_of(world.contract.inputs[position]) is not None
    )


def _stated_filter(world: World, position: int) -> str | None:
    if not world.declared:
        return None
    for step in steps_for(world, position):
        if step.resize is not None and step.resize.filter is not None:
            return step.resize.filter
        if step.letterbox is not None and step.letterbox.filter is not None:
            return step.letterbox.filter
    return None


def _spec(world: World, position: int, dims: Dims, run: PixelRun, *, replace_filter: str | None) -> BufferSpec:
    state = run.states[-1]
    contract = world.contract
    assert contract is not None
    tensor = contract.inputs[position]
    mean, std = _host_affine(state)
    scale, zero_point = state.quantized if state.quantized else (None, 0)
    applied = applied_normalization(world, tensor)
    model_mean, model_std = (tuple(applied[0]), tuple(applied[1])) if applied is not None else (None, None)
    form = _form(world, position)
    dtype = form.dtype or (state.dtype if not state.quantized else tensor.dtype or "int8")
    layout = form.layout or ("NCHW" if state.layout in ("CHW", "NCHW", "NC4HW4") else "NHWC")
    shape = form.shape or ((dims.n, dims.c, dims.h, dims.w) if layout == "NCHW" else (dims.n, dims.h, dims.w, dims.c))
    pitch = f", rows of {form.w_stride} pixels" if form.w_stride not in (None, dims.w) else ""
    return BufferSpec(
        dtype=dtype,
        layout=layout,
        shape=shape,
        color=run.color,
        w_stride=form.w_stride if form.w_stride != dims.w else None,
        mean=mean,
        std=std,
        scale=scale,
        zero_point=zero_point,
        model_mean=model_mean,
        model_std=model_std,
        geometry=_geometry(state),
        filter=replace_filter,
        label=f"{dtype} {layout}{pitch}",
    )


@dataclass(frozen=True, slots=True)
class _Form:
    dtype: str | None = None
    layout: str | None = None
    shape: tuple[int, ...] | None = None
    w_stride: int | None = None


def _form(world: World, position: int) -> _Form:
    """Type, layout and pitch in which the first hand-over for the input has its bytes."""
    for thing in things(world, "handover"):
        if not isinstance(thing, HandoverThing) or thing.handover.input != position:
            continue
        stride = None
        memory = thing.handover.memory
        if thing.handover.binding is not None:
            write = memory.last_write if memory else None
            stride = (write.wstride if write else None) or thing.handover.binding.set_io_mem.w_stride
        try:
            layout: str | None = thing.content_layout
            shape: tuple[int, ...] | None = tuple(thing.content_shape)
        except Unstated:
            layout, shape = None, None
        if layout is not None and shape is not None and dims_of(layout, shape) is None:
            layout, shape = None, None
        return _Form(thing.content_dtype_or_none, layout, shape, stride)
    return _Form()


def _host_affine(state: State) -> tuple[tuple[float, ...] | None, tuple[float, ...] | None]:
    """value = a·x + b as (x − mean)/std in pixel units; None, None where the host leaves pixels as they are."""
    values = state.values
    if values is None or (set(values.a) == {1.0} and set(values.b) == {0.0}) or 0.0 in values.a:
        return None, None
    mean = tuple(-b / a for a, b in zip(values.a, values.b, strict=True))
    return mean, tuple(1.0 / a for a in values.a)


def _geometry(state: State) -> Geometry:
    if state.geometry == "letterbox" and state.box is not None:
        return Geometry("letterbox", box=state.box, fill=state.fill or (114,), align=state.align)
    return Geometry("stretch")


def _others(world: World, position: int, dims: Dims, spec: BufferSpec) -> list[BufferSpec]:
    """Other legal ways to hand the same picture over: packed or in rows of w_stride, codes, half and single floats."""
    contract = world.contract
    assert contract is not None
    tensor = contract.inputs[position]
    found: list[BufferSpec] = []
    nhwc = (dims.n, dims.h, dims.w, dims.c)
    if world.runtime in ("rknn", "rknn1"):
        strides = [None, tensor.w_stride] if tensor.w_stride not in (None, dims.w) else [None]
        base = replace(spec, layout="NHWC", shape=nhwc, mean=None, std=None, scale=None, zero_point=0)
        forms = [replace(base, dtype="uint8")]
        if tensor.dtype in ("int8", "uint8", "int16") and tensor.scale:
            codes = replace(base, dtype=tensor.dtype, scale=tensor.scale, zero_point=tensor.zero_point or 0)
            if spec.model_mean is not None and spec.model_std is not None:
                codes = replace(codes, mean=spec.model_mean, std=spec.model_std)
            forms.append(codes)
        forms += [replace(base, dtype="float16"), replace(base, dtype="float32")]
        for form in forms:
            for stride in strides:
                pitch = f", rows of {stride} pixels" if stride else ""
                codes_word = " codes" if form.scale else ""
                found.append(replace(form, w_stride=stride, label=f"{form.dtype}{codes_word} NHWC{pitch}"))
    elif world.runtime == "mnn":
        nchw = (dims.n, dims.c, dims.h, dims.w)
        packed = replace(spec, layout="NC4HW4", shape=nchw, label=f"{spec.dtype} NC4HW4")
        if tensor.layout == "NC4HW4":
            found.append(packed)
        if spec.dtype == "int8" and spec.scale is None and not _says_values(world, position):
            found.append(
                replace(spec, dtype="uint8", label="pixels' bytes as they are")
            )  # nobody said what a code means
        if tensor.layout == "NHWC":
            found.append(replace(spec, layout="NHWC", shape=nhwc, label=f"{spec.dtype} NHWC"))
    return [f for f in found if replace(f, label="") != replace(spec, label="")]
