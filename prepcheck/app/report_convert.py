"""What MNN's ImageProcess writes into an input: run here as MNN does it, with the matrix, formats and means of the plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from prepcheck.app.report_reading import Floats, ValueScale
from prepcheck.contract.calls import ImageProcessArguments, ImageProcessDest
from prepcheck.contract.steps import Letterbox, Resize, Step
from prepcheck.core.packing import unpack_nc4hw4
from prepcheck.facts.base import things
from prepcheck.facts.path import PathThing
from prepcheck.facts.path_values import trained_values
from prepcheck.pixels import chain
from prepcheck.pixels.color import encode_yuv, reorder
from prepcheck.pixels.image_process import convert
from prepcheck.pixels.run import YUV, image_process_config, run_steps

if TYPE_CHECKING:
    from prepcheck.contract.contract import Tensor
    from prepcheck.contract.plan import Training
    from prepcheck.facts.world import World

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Converted:
    """values: H x W x C as the network gets them. wanted: the colour order that it takes them for. right: pixels as
    training had them, None where the plan does not say how pictures were resized there."""

    values: Floats
    scale: ValueScale
    wanted: str
    right: Bytes | None


def convert_step(world: World, position: int) -> tuple[PathThing, int] | None:
    """The path of an input and the place of the ImageProcess in it, where that is the last step; None where there is none."""
    for thing in things(world, "path"):
        if isinstance(thing, PathThing) and thing.position == position and thing.has_steps:
            last = len(thing.steps) - 1
            return (thing, last) if thing.steps[last].image_process is not None else None
    return None


def source_color(path: PathThing, at: int) -> str:
    """The colour in which a decoder should hand the picture on, so that the steps before ImageProcess can be run."""
    decode = next((s.decode for s in path.steps if s.decode is not None and s.decode.color), None)
    color = decode.color if decode is not None else path.states[at].color
    return color if color in chain.CHANNELS else "RGB"


def converted(world: World, path: PathThing, at: int, image: Bytes, color: str) -> Converted:
    """Run the path on a decoded picture in `color`. Raises UsageError and Unsupported where MNN would write no picture."""
    tensor = path.input.tensor
    arguments = path.steps[at].image_process
    assert arguments is not None
    before = run_steps(image, color, [s for s in path.steps[:at] if s.decode is None])
    picture = before.picture if before.picture.ndim == 3 else before.picture[:, :, None]
    values = _written(arguments, tensor, picture, before.color, path.states[at].color)
    training = world.training_of(tensor)
    said = chain.mnn_color(arguments.dest_format or arguments.source_format) or before.color
    wanted = (training.color if training is not None else None) or (said if said in chain.CHANNELS else "RGB")
    affine = trained_values(training) if training is not None else None
    affine = affine or path.final.values or chain.Affine()
    channels = values.shape[2]
    a, b = (np.resize(np.asarray(v, np.float64), channels) for v in (affine.a, affine.b))
    if not np.all(a):
        a, b = np.ones(channels), np.zeros(channels)
    scale = ValueScale(a, b, None, None, True)
    return Converted(values, scale, wanted, _right(training, image, color, wanted, values.shape))


def _written(a: ImageProcessArguments, tensor: Tensor, picture: Bytes, have: str, stated: str | None) -> Floats:
    """The destination as H x W x C values. stated: the colour that the source really has, by the plan."""
    height, width = picture.shape[:2]
    source = picture
    if stated in YUV and have not in YUV:
        source = encode_yuv(reorder(picture, have, "RGB"), stated, matrix="BT601_LIMIT")
    elif stated in chain.CHANNELS and stated != have:
        source = reorder(picture, have, stated)
    if a.dest is None or not a.dest.shape:
        dest = ImageProcessDest.made(
            shape=tensor.shape, layout=tensor.layout or "NCHW", dtype=tensor.dtype or "float32"
        )
        a = a.model_copy(update={"dest": dest})
    config, target = image_process_config(a, (width, height), picture.shape[2], stated or have)
    result = convert(config, source, (width, height), target, a.stride or 0)
    if target.layout == "NC4HW4":
        result = unpack_nc4hw4(result, target.dims.c)
    moved = result[0] if target.layout == "NHWC" else np.moveaxis(result[0], 0, -1)
    return np.ascontiguousarray(moved, np.float32)


def _right(training: Training | None, image: Bytes, color: str, wanted: str, shape: tuple[int, ...]) -> Bytes | None:
    if training is None or training.resize not in ("letterbox", "stretch"):
        return None
    size = [shape[1], shape[0]]
    fill = 114 if training.fill is None else training.fill
    boxed = Step.made(letterbox=Letterbox.made(size=size, fill=fill, align=training.align))
    step = boxed if training.resize == "letterbox" else Step.made(resize=Resize.made(size=size))
    made = run_steps(image, color, [step])
    pixels = reorder(made.picture, color, wanted)
    pixels = pixels if pixels.ndim == 3 else pixels[:, :, None]
    return pixels if pixels.shape == shape else None
