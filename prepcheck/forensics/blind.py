"""What a picture cannot show: faults that would leave it (nearly) as it is."""

from __future__ import annotations

import numpy as np

from prepcheck.forensics.model import BufferSpec, Pixels
from prepcheck.forensics.poses import turned

_LEAST = 1.0  # mean absolute change in pixel steps below which a fault is invisible among legal differences


def _thin(pixels: Pixels) -> Pixels:
    """Every k-th row and column such that at most some 16,000 points are left."""
    step = max(1, int(np.sqrt(pixels.shape[0] * pixels.shape[1] / 16_000)))
    return pixels[::step, ::step]


def _alike(a: Pixels, b: Pixels) -> bool:
    return a.shape == b.shape and float(np.abs(a.astype(np.int16) - b).mean()) < _LEAST


def cannot_show(pixels: Pixels, spec: BufferSpec) -> tuple[str, ...]:
    """Names of the faults that this expected picture (H x W x C) would hide, in alphabetical order."""
    thin = _thin(pixels)
    hidden: set[str] = set()
    for name, turn in (("flipped_horizontal", "flip_h"), ("flipped_vertical", "flip_v"), ("rotated", "rot180")):
        if _alike(thin, _thin(turned(pixels, turn))):
            hidden.add(name)
    if spec.size[0] == spec.size[1] and _alike(thin, _thin(turned(pixels, "transpose"))):
        hidden.add("transposed")
    if spec.channels >= 3:
        if _alike(thin[..., [2, 1, 0]], thin[..., :3]):
            hidden.add("channels_swapped")
        gray = thin[..., :3].mean(axis=2, keepdims=True)
        if float(np.abs(thin[..., :3] - gray).mean()) < _LEAST:
            hidden |= {"channels_swapped", "gray_replicated", "uv_swapped", "yuv_matrix"}
    else:
        hidden |= {"channels_swapped", "gray_replicated", "uv_swapped", "yuv_matrix", "planar_instead_of_interleaved",
                   "interleaved_instead_of_planar"}  # fmt: skip
    if _alike(thin, 255 - thin):
        hidden.add("inverted")
    if spec.geometry.kind == "stretch":
        hidden |= {"letterbox_fill", "letterbox_alignment", "stretched_instead_of_letterbox"}
    elif spec.geometry.kind == "letterbox":
        hidden.add("letterbox_instead_of_stretch")
        box = spec.geometry.box
        if box is None or (box.w, box.h) == spec.size[::-1]:
            hidden |= {"letterbox_fill", "letterbox_alignment", "stretched_instead_of_letterbox", "center_crop"}
    if spec.batch == 1:
        hidden.add("batch_partial")
    if spec.itemsize == 1:
        hidden.add("byte_order")
    if is_constant(thin):
        hidden |= {"shifted", "different_image", "row_stride", "center_crop", "wrong_interpolation", "partial_fill",
                   "header_offset"}  # fmt: skip
    return tuple(sorted(hidden))


def is_constant(pixels: Pixels) -> bool:
    """Whether the picture holds next to one colour only, so that it can show hardly any fault."""
    thin = _thin(pixels).astype(np.float32)
    return float(thin.std(axis=(0, 1)).max()) < _LEAST
