"""Run the steps of a path on pixels: what the symbolic chain says, with the bytes.

Picture steps (colour, resize, letterbox, crop, pad) work on H x W x C uint8 (or on values, once scaled), value steps on
float32, then quantise, cast and transpose. The result is what the host hands over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prepcheck.contract.calls import ImageProcessArguments
from prepcheck.contract.steps import Letterbox, Pad, Resize, Step
from prepcheck.core.dtypes import integer_range
from prepcheck.core.geometry import letterbox_box
from prepcheck.core.layouts import CHANNELS_FIRST, Dims, dims_of
from prepcheck.core.packing import pack_nc4hw4
from prepcheck.errors import UsageError
from prepcheck.pixels import chain
from prepcheck.pixels.chain import State
from prepcheck.pixels.color import decode_yuv, encode_yuv, reorder
from prepcheck.pixels.image_process import Destination, ImageProcessConfig, convert
from prepcheck.pixels.resize import Resized, resize

Array = NDArray[np.generic]
Bytes = NDArray[np.uint8]

DEFAULT_FILTER: Final = "bilinear"
DEFAULT_LIBRARY: Final = "opencv"
YUV: Final = frozenset({"NV12", "NV21", "I420", "YUYV"})


@dataclass(slots=True)
class PixelRun:
    """What running a path gave.

    picture: H x W x C after the last picture step, uint8, before values were scaled. result: what is handed over, in the
    layout of the last state. states: as the symbolic chain has them. fell_back: resizes that another library did.
    """

    picture: Bytes
    result: Array
    states: list[State]
    color: str
    fell_back: list[Resized] = field(default_factory=list)


def run_steps(image: Bytes, color: str, steps: Sequence[Step]) -> PixelRun:
    """Run `steps` on a decoded picture (H x W x C uint8 in `color`); a decode step only states what `image` is.

    Raises UsageError (a step that cannot be done on this picture) and Unsupported (MNN's own limits).
    """
    worker = _Worker(np.ascontiguousarray(image if image.ndim == 3 else image[:, :, None]), color)
    for step in steps:
        worker.step(step)
    size = (int(image.shape[1]), int(image.shape[0]))
    start = State(size=size, source_size=size, color=color, channels=chain.CHANNELS.get(color))
    later = [s for s in steps if s.decode is None]
    picture = worker.picture if worker.picture is not None else worker.as_bytes()
    return PixelRun(picture, worker.values, chain.run(later, start), worker.color, worker.fell_back)


class _Worker:
    def __init__(self, image: Bytes, color: str) -> None:
        self.values: Array = image
        self.color = color
        self.picture: Bytes | None = None  # kept when values leave uint8
        self.layout = "HWC"
        self.fell_back: list[Resized] = []

    def as_bytes(self) -> Bytes:
        if self.values.dtype == np.uint8:
            return self.values.astype(np.uint8, copy=False)
        return np.clip(np.rint(self.values.astype(np.float64)), 0, 255).astype(np.uint8)

    def step(self, step: Step) -> None:
        if step.convert_color is not None:
            self.recolor(step.convert_color.to, step.convert_color.matrix)
        elif step.resize is not None:
            self.resize(step.resize)
        elif step.letterbox is not None:
            self.letterbox(step.letterbox)
        elif step.crop is not None:
            self.crop(chain.crop_box(step.crop, self._size) or [])
        elif step.pad is not None:
            self.pad(step.pad)
        elif step.scale is not None:
            self.floats(step.scale.by, step.scale.offset)
        elif step.normalize is not None:
            self.normalize(step.normalize.mean, step.normalize.std)
        elif step.quantize is not None:
            self.quantize(step.quantize.dtype, step.quantize.scale, step.quantize.zero_point)
        elif step.cast is not None:
            self.cast(step.cast.dtype)
        elif step.transpose is not None:
            self.transpose(step.transpose.to)
        elif step.image_process is not None:
            self.image_process(step.image_process)
        elif step.rga is not None and step.rga.dst is not None:
            self.rga(step)

    @property
    def _size(self) -> tuple[int, int]:
        return (int(self.values.shape[1]), int(self.values.shape[0]))

    def keep(self) -> None:
        if self.picture is None:
            self.picture = self.as_bytes()

    def need_picture(self, what: str) -> None:
        if self.layout != "HWC":
            raise UsageError(f"{what} after the axes were changed to {self.layout}: put it before the transpose")

    def recolor(self, to: str, matrix: str | None) -> None:
        self.need_picture("convert_color")
        if self.values.dtype != np.uint8:
            order = {("RGB", "BGR"), ("BGR", "RGB")}
            if (self.color, to) not in order:
                raise UsageError(f"{self.color} to {to} on values that are no longer 0..255 pixels")
            self.values = self.values[..., ::-1]
            if self.picture is not None:
                self.picture = np.ascontiguousarray(self.picture[..., ::-1])
        elif to in YUV or self.color in YUV:
            self.values = self._yuv(to, matrix or "BT601_LIMIT")
        else:
            self.values = reorder(self.as_bytes(), self.color, to)
        self.color = to

    def _yuv(self, to: str, matrix: str) -> Array:
        pixels = self.as_bytes()
        if to in YUV:
            flat = encode_yuv(reorder(pixels, self.color, "RGB"), to, matrix=matrix)
            return flat.reshape(-1, pixels.shape[1], 1) if flat.size % pixels.shape[1] == 0 else flat.reshape(1, -1, 1)
        width = pixels.shape[1]
        height = pixels.size * 2 // 3 // width if self.color != "YUYV" else pixels.size // (2 * width)
        return reorder(decode_yuv(pixels.reshape(-1), (width, height), self.color, matrix=matrix), "RGB", to)

    def _resized(self, size: tuple[int, int], filter_: str | None, library: str | None) -> Array:
        if self.values.dtype != np.uint8:
            return _resize_values(self.values, size, filter_ or DEFAULT_FILTER)
        known = library if library in ("opencv", "pillow", "mnn", "rga") else DEFAULT_LIBRARY
        done = resize(self.as_bytes(), size, filter=filter_ or DEFAULT_FILTER, library=known)
        if done.fell_back:
            self.fell_back.append(done)
        return done.pixels

    def resize(self, a: Resize) -> None:
        self.need_picture("resize")
        self.values = self._resized(chain.resized_size(a, self._size) or self._size, a.filter, a.library)

    def letterbox(self, a: Letterbox) -> None:
        self.need_picture("letterbox")
        height, width = self.values.shape[:2]
        target = (a.size[0], a.size[1])
        box = letterbox_box((width, height), target, align=a.align or "center")
        inner = self._resized((box.w, box.h), a.filter, a.library)
        canvas = np.empty((target[1], target[0], self.values.shape[2]), dtype=inner.dtype)
        canvas[:] = _fill(a.fill, 114)
        canvas[box.y : box.y + box.h, box.x : box.x + box.w] = inner.reshape(box.h, box.w, -1)
        self.values = canvas

    def crop(self, box: Sequence[int]) -> None:
        self.need_picture("crop")
        x, y, w, h = box
        height, width = self.values.shape[:2]
        if x < 0 or y < 0 or w < 1 or h < 1 or x + w > width or y + h > height:
            raise UsageError(f"crop [{x}, {y}, {w}, {h}] leaves the picture of {width} x {height}")
        self.values = self.values[y : y + h, x : x + w]

    def pad(self, a: Pad) -> None:
        self.need_picture("pad")
        if min(a.left, a.top, a.right, a.bottom) < 0 or max(a.left, a.top, a.right, a.bottom) > 1 << 15:
            raise UsageError(f"pad of {a.left}, {a.top}, {a.right}, {a.bottom}: each is 0 to 32768")
        height, width, channels = self.values.shape
        canvas = np.empty((height + a.top + a.bottom, width + a.left + a.right, channels), dtype=self.values.dtype)
        canvas[:] = _fill(a.fill, 0)
        canvas[a.top : a.top + height, a.left : a.left + width] = self.values
        self.values = canvas

    def floats(self, by: float, offset: float) -> None:
        self.keep()
        self.values = self.values.astype(np.float32) * np.float32(by) + np.float32(offset)

    def normalize(self, mean: Sequence[float], std: Sequence[float]) -> None:
        self.keep()
        channels = self.values.shape[0 if self.layout == "CHW" else -1]
        for name, given in (("mean", mean), ("std", std)):
            if len(given) not in (1, channels):
                raise UsageError(f"normalize: {len(given)} values of {name} for {channels} channels")
        if 0 in std:
            raise UsageError("normalize: a std of 0 divides by zero")
        shape = (-1, 1, 1) if self.layout == "CHW" else (-1,)
        m, s = (np.asarray(v, dtype=np.float32).reshape(shape) for v in (mean, std))
        self.values = (self.values.astype(np.float32) - m) / s

    def quantize(self, dtype: str, scale: float, zero_point: int) -> None:
        self.keep()
        limits = integer_range(dtype)
        if limits is None or dtype == "int4" or scale == 0:
            raise UsageError(
                f"quantize to {dtype} with scale {scale}: an integer type of whole bytes and a scale are needed"
            )
        codes = np.rint(self.values.astype(np.float64) / scale) + zero_point
        self.values = np.clip(codes, *limits).astype(dtype)

    def cast(self, dtype: str) -> None:
        if dtype in ("bfloat16", "int4"):
            raise UsageError(f"cast to {dtype}: numpy has no such type, its bytes cannot be made here")
        self.keep()
        self.values = self.values.astype(dtype)

    def transpose(self, to: str) -> None:
        self.keep()
        if to in ("HWC", "NHWC"):
            moved = np.moveaxis(self.values, 0, -1) if self.layout == "CHW" else self.values
            self.layout = "HWC"
        elif to in ("CHW", "NCHW"):
            moved = np.moveaxis(self.values, -1, 0) if self.layout == "HWC" else self.values
            self.layout = "CHW"
        elif to == "NC4HW4":
            plain = np.moveaxis(self.values, -1, 0) if self.layout == "HWC" else self.values
            moved = pack_nc4hw4(np.ascontiguousarray(plain)[None])
            self.layout = "NC4HW4"
        else:
            raise UsageError(f"transpose to {to} is not an order of the axes of a picture")
        self.values = np.ascontiguousarray(moved)

    def image_process(self, a: ImageProcessArguments) -> None:
        self.need_picture("image_process")
        height, width = self.values.shape[:2]
        config, dest = image_process_config(a, (width, height), self.values.shape[2], self.color)
        result = convert(config, self.as_bytes(), (width, height), dest, a.stride or 0)
        self.picture = None
        self.values = result[0] if result.ndim == 4 else result
        self.layout = {"NHWC": "HWC", "NCHW": "CHW"}.get(dest.layout, dest.layout)
        self.color = chain.mnn_color(config.dest_format) or self.color

    def rga(self, step: Step) -> None:
        dst = step.rga.dst if step.rga is not None else None
        if dst is None:
            return
        target = chain.rga_color(dst.format)
        if target is not None and target != self.color:
            matrix = (step.rga.csc or "BT601_LIMIT").rpartition("_TO_")[2] if step.rga is not None else None
            self.recolor(target, matrix.partition("_")[2] if matrix else None)
        if dst.width and dst.height and (dst.width, dst.height) != (self.values.shape[1], self.values.shape[0]):
            self.values = self._resized((dst.width, dst.height), "bilinear", "rga")


def image_process_config(
    a: ImageProcessArguments, size: tuple[int, int], channels: int, color: str
) -> tuple[ImageProcessConfig, Destination]:
    """MNN's configuration and destination from a plan's arguments. Raises UsageError where the destination is unknown."""
    source = a.source_format or {"GRAY": "GRAY"}.get(color, color)
    matrix = None
    if isinstance(a.matrix, list):
        m = [float(v) for v in a.matrix]
        matrix = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
    elif a.matrix is not None:
        (sx, sy), (tx, ty) = a.matrix.scale, a.matrix.translate
        matrix = (sx, 0.0, tx, 0.0, sy, ty, 0.0, 0.0, 1.0)
    if a.dest is None or not a.dest.shape:
        raise UsageError("image_process: the destination's shape is needed to compute what is written")
    config = ImageProcessConfig(
        source_format=source, dest_format=a.dest_format or source, mean=_four(a.mean, 0.0), normal=_four(a.normal, 1.0),
        filter=a.filter or "nearest", wrap=a.wrap or "CLAMP_TO_EDGE", matrix=matrix, padding=a.padding or 0,
    )  # fmt: skip
    return config, Destination(tuple(a.dest.shape), a.dest.layout or "NCHW", a.dest.dtype or "float32")


def _four(values: Sequence[float] | None, rest: float) -> tuple[float, float, float, float]:
    filled = [*(values or []), rest, rest, rest, rest]
    return (filled[0], filled[1], filled[2], filled[3])


def _fill(fill: int | list[int] | None, default: int) -> int | list[int]:
    return default if fill is None else fill


def _resize_values(values: Array, size: tuple[int, int], filter_: str) -> Array:
    """Resize of float values, which OpenCV alone does here."""
    try:
        import cv2
    except ImportError as error:
        raise UsageError(f"resizing float values needs OpenCV, which cannot be imported here ({error})") from None
    flag = {"nearest": cv2.INTER_NEAREST, "bicubic": cv2.INTER_CUBIC, "area": cv2.INTER_AREA}.get(
        filter_, cv2.INTER_LINEAR
    )
    done = cv2.resize(values.astype(np.float32), size, interpolation=flag)
    return np.asarray(done).reshape(size[1], size[0], -1)


def final_dims(run: PixelRun) -> Dims | None:
    """N, C, H, W of the result, where its last state names them."""
    layout = run.states[-1].layout
    shape = run.result.shape
    if layout in ("NHWC", "NCHW") and len(shape) == 3:
        shape = (1, *shape)
    return dims_of(layout if len(shape) == 4 else ("CHW" if layout in CHANNELS_FIRST else "HWC"), shape)
