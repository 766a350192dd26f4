"""Resizing by name: whose filter, with one signature. The library that really did it stands in the result.

opencv: cv2.resize (imported here only; where it cannot be imported, for want of libGL say, Pillow's filter of the same
name takes its place and the result says so). pillow: Image.resize, which widens its kernel when shrinking. mnn: CV::
ImageProcess with the half-pixel matrix (as MNN.cv.resize does). rga: the model of Rockchip's scaler, one core each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prepcheck.errors import UsageError
from prepcheck.pixels.image_process import Destination, ImageProcessConfig, convert, half_pixel_matrix
from prepcheck.pixels.rga import AVERAGE, CUBIC, DEFAULT, LINEAR, Core

Bytes = NDArray[np.uint8]

MAX_SIDE: Final = 1 << 15
MAX_BYTES: Final = 1 << 30
"""Largest result: larger ones are refused, not tried."""

_OPENCV: Final = {
    "nearest": "INTER_NEAREST",
    "bilinear": "INTER_LINEAR",
    "bicubic": "INTER_CUBIC",
    "area": "INTER_AREA",
    "lanczos": "INTER_LANCZOS4",
}
_PILLOW: Final = {
    "nearest": "NEAREST",
    "bilinear": "BILINEAR",
    "bicubic": "BICUBIC",
    "area": "BOX",
    "lanczos": "LANCZOS",
    "hamming": "HAMMING",
}
_RGA_FILTER: Final = {"bilinear": LINEAR, "bicubic": CUBIC, "area": AVERAGE, "default": DEFAULT}
_RGA_CORE: Final[dict[str, Core]] = {"rga": "rga2", "rga2": "rga2", "rga2_pro": "rga2_pro", "rga3": "rga3"}

FILTERS: Final[dict[str, tuple[str, ...]]] = {
    "opencv": tuple(_OPENCV),
    "pillow": tuple(_PILLOW),
    "mnn": ("nearest", "bilinear"),
    **dict.fromkeys(_RGA_CORE, tuple(_RGA_FILTER)),
    "zoo": ("bilinear",),
}
"""The filters that each library has. `zoo` is rknn_model_zoo's CPU fallback; `default` is what RGA takes unless told."""


@dataclass(frozen=True, slots=True)
class Resized:
    """pixels: uint8, the rank of the source. library: who did it. wanted: who was asked; they differ after a fallback,
    and then `reason` says why."""

    pixels: Bytes
    library: str
    wanted: str
    filter: str
    reason: str | None = None

    @property
    def fell_back(self) -> bool:
        """Whether another library took the place of the one asked for."""
        return self.library != self.wanted


def resize(image: Bytes, size: tuple[int, int], *, filter: str, library: str) -> Resized:
    """Scales [h, w] or [h, w, channels] uint8 to `size` [width, height], aspect not kept.

    Raises UsageError for names that are not in FILTERS, for pictures that are none and for results beyond MAX_BYTES;
    Unsupported where MNN would write nothing (same size) or RGA declines.
    """
    if library not in FILTERS or filter not in FILTERS[library]:
        known = ", ".join(FILTERS.get(library, tuple(FILTERS)))
        raise UsageError(f"resize: {library} has no {filter!r}; known: {known}")
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or 0 in image.shape:
        raise UsageError(f"resize takes uint8 [h, w] or [h, w, channels], not {image.dtype} {image.shape}")
    sides = (*size, *image.shape[:2])
    channels = image.shape[2] if image.ndim == 3 else 1
    if min(sides) < 1 or max(sides) > MAX_SIDE or size[0] * size[1] * channels > MAX_BYTES:
        raise UsageError(
            f"resize: {image.shape} to {size[0]}x{size[1]} is beyond {MAX_SIDE} a side or {MAX_BYTES} bytes"
        )
    if library == "opencv":
        return _opencv(image, size, filter)
    if library == "pillow":
        return Resized(_pillow(image, size, filter), library, library, filter)
    return Resized(_model(image, size, filter, library).reshape(_shape(image, size)), library, library, filter)


def _shape(image: Bytes, size: tuple[int, int]) -> tuple[int, ...]:
    return (size[1], size[0], *image.shape[2:])


def _opencv(image: Bytes, size: tuple[int, int], name: str) -> Resized:
    try:
        import cv2
    except (ImportError, OSError) as error:
        why = f"OpenCV cannot be imported ({error}): Pillow's {name} took its place"
        return Resized(_pillow(image, size, name), "pillow", "opencv", name, why)
    flag = int(getattr(cv2, _OPENCV[name]))
    wide = image.ndim == 3 and image.shape[2] > 4  # more than 4 channels go plane by plane
    planes = [image[:, :, i] for i in range(image.shape[2])] if wide else [image]
    done = [np.asarray(cv2.resize(np.ascontiguousarray(p), size, interpolation=flag), np.uint8) for p in planes]
    pixels = np.stack(done, axis=-1) if wide else done[0].reshape(_shape(image, size))  # cv2 drops a last axis of 1
    return Resized(pixels, "opencv", "opencv", name)


def _pillow(image: Bytes, size: tuple[int, int], name: str) -> Bytes:
    """RGBA is scaled with the alpha multiplied in, as Pillow does; other numbers of channels than 1, 3, 4 one by one."""
    from PIL import Image

    method = Image.Resampling[_PILLOW[name]]
    if image.ndim == 3 and image.shape[2] not in (3, 4):
        planes = [
            np.asarray(Image.fromarray(np.ascontiguousarray(p)).resize(size, method)) for p in image.transpose(2, 0, 1)
        ]
        return np.stack(planes, axis=-1)
    return np.asarray(Image.fromarray(np.ascontiguousarray(image)).resize(size, method))


def _model(image: Bytes, size: tuple[int, int], name: str, library: str) -> Bytes:
    if library == "mnn":
        return _mnn(image, size, name)
    from prepcheck.pixels.rga_scale import rga_resize, zoo_cpu_resize

    if library == "zoo":
        return zoo_cpu_resize(image, size)
    return rga_resize(image, size, _RGA_CORE[library], _RGA_FILTER[name])


def _mnn(image: Bytes, size: tuple[int, int], name: str) -> Bytes:
    channels = image.shape[2] if image.ndim == 3 else 1
    formats = {1: "GRAY", 3: "RGB", 4: "RGBA"}
    if channels not in formats:
        raise UsageError(f"MNN's ImageProcess has 1, 3 or 4 channels, not {channels}")
    source = (image.shape[1], image.shape[0])
    config = ImageProcessConfig(
        formats[channels], formats[channels], filter=name, matrix=half_pixel_matrix(source, size)
    )
    out = convert(config, image, source, Destination((1, size[1], size[0], channels), "NHWC", "uint8"))
    return np.asarray(out, np.uint8)
