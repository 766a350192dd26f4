"""The same picture by other correct implementations: libraries, device models, decoders, roundings."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from prepcheck.forensics import BufferSpec
from tests.forensics.build import U8, elements, laid_out
from tests.forensics.contracts import Contract, coloured, resized

NAMES = ("opencv", "opencv-area", "pillow", "mnn-half-pixel", "mnn-demo", "mnn-origin", "rga2", "rga3", "zoo-cpu", "jpeg-95", "jpeg-85",
         "jpeg-90", "jpeg-75",
         "decoder", "rounding", "stale-padding")  # fmt: skip


def _bilinear(
    image: U8, width: int, height: int, xs: NDArray[np.float64], ys: NDArray[np.float64], *, truncate: bool = False
) -> U8:
    """Bilinear at given source positions in float, borders repeated."""
    h, w = image.shape[:2]
    xs, ys = np.clip(xs, 0, w - 1), np.clip(ys, 0, h - 1)
    x0, y0 = np.floor(xs).astype(int), np.floor(ys).astype(int)
    x1, y1 = np.minimum(x0 + 1, w - 1), np.minimum(y0 + 1, h - 1)
    fx, fy = (xs - x0)[None, :, None], (ys - y0)[:, None, None]
    a = image.astype(np.float64)
    top = a[y0][:, x0] * (1 - fx) + a[y0][:, x1] * fx
    low = a[y1][:, x0] * (1 - fx) + a[y1][:, x1] * fx
    out = top * (1 - fy) + low * fy
    return (np.floor(out) if truncate else np.floor(out + 0.5)).clip(0, 255).astype(np.uint8)


def _rga3_axis(n_in: int, n_out: int) -> NDArray[np.float64]:
    """Weights n_out x n_in of an averaging window (n_in − 1)/(n_out − 1) wide that advances by its own width."""
    pace = (n_in - 1) / (n_out - 1)
    weights = np.zeros((n_out, n_in))
    for j in range(n_out):
        left = min(j * pace, n_in - pace)
        for i in range(int(left), min(n_in, int(np.ceil(left + pace)))):
            weights[j, i] = max(0.0, min(i + 1, left + pace) - max(i, left))
    return weights / weights.sum(axis=1, keepdims=True)


def scaled(image: U8, width: int, height: int, how: str) -> U8:
    h, w = image.shape[:2]
    if (h, w) == (height, width):
        return image
    x, y = np.arange(width), np.arange(height)
    if how == "opencv-area" or (how == "rga2" and width <= w and height <= h):
        return resized(image, width, height, "area" if width <= w and height <= h else "bilinear")
    if how == "pillow":
        return np.asarray(Image.fromarray(image).resize((width, height), Image.Resampling.BILINEAR))
    if how == "mnn-half-pixel":
        return _bilinear(image, width, height, (x + 0.5) * w / width - 0.5, (y + 0.5) * h / height - 0.5)
    if how in ("mnn-demo", "rga2") or (how == "rga3" and (width > w or height > h)):
        return _bilinear(image, width, height, x * (w - 1) / (width - 1), y * (h - 1) / (height - 1))
    if how in ("mnn-origin", "zoo-cpu"):
        return _bilinear(image, width, height, x * w / width, y * h / height, truncate=how == "zoo-cpu")
    if how == "rga3":
        out = np.einsum("ji,iwc->jwc", _rga3_axis(h, height), image.astype(np.float64))
        return np.floor(np.einsum("ji,hic->hjc", _rga3_axis(w, width), out) + 0.5).clip(0, 255).astype(np.uint8)
    return resized(image, width, height)


def _recoded(image: U8, how: str) -> U8:
    """`jpeg-QUALITY`: chroma is kept whole above 90, halved below."""
    quality = int(how.split("-")[1])
    out = io.BytesIO()
    Image.fromarray(image).save(out, "JPEG", quality=quality, subsampling=0 if quality > 90 else 2)
    return np.asarray(Image.open(out).convert("RGB"))


def buffer(image: U8, contract: Contract, how: str, rng: np.random.Generator) -> bytes:
    """A correct buffer by the implementation named."""
    spec = contract.for_source(*image.shape[:2])
    if how.startswith("jpeg"):
        image = _recoded(image, how)
    elif how == "decoder":
        # Other inverse transforms and chroma upsampling differ by a step or two here and there.
        image = np.clip(image.astype(int) + rng.choice([-1, 0, 0, 0, 0, 0, 1], image.shape), 0, 255).astype(np.uint8)
    h, w = spec.size
    box = spec.geometry.box
    if contract.letterbox and box is not None:
        x, y, bw, bh = box.x, box.y, box.w, box.h
        if how == "zoo-cpu":  # convert_image_with_letterbox: sizes cut to 4 and 2, offsets even
            scale = min(w / image.shape[1], h / image.shape[0])
            bw, bh = int(image.shape[1] * scale) // 4 * 4, int(image.shape[0] * scale) // 2 * 2
            if contract.align == "center":
                x, y = (w - bw) // 2 // 2 * 2, (h - bh) // 2 // 2 * 2
        px = np.full((h, w, 3), contract.fill, np.uint8)
        px[y : y + bh, x : x + bw] = scaled(image, bw, bh, how)
    else:
        px = scaled(image, w, h, how)
    px = coloured(px, spec.color)
    if how == "rounding" and spec.scale is not None:
        a = _runtime_codes(px, spec)
    else:
        a = elements(px, spec, [])
    flat = laid_out(a, spec, [], rng)
    if how == "stale-padding" and spec.w_stride:
        rows = flat.reshape(h, -1).copy()
        rows[:, w * a.shape[2] :] = rng.integers(0, 256, rows[:, w * a.shape[2] :].shape)
        flat = rows.ravel()
    return flat.tobytes() * spec.batch


def _runtime_codes(px: U8, spec: BufferSpec) -> NDArray[np.generic]:
    """Step and offset rounded apart, as the runtime's float path does."""
    mean, std = np.asarray(spec.mean or (0.0,)), np.asarray(spec.std or (1.0,))
    step = 1 / (std * float(spec.scale or 1))
    info = np.iinfo(spec.dtype)
    return np.clip(np.rint(px * step) + np.rint(spec.zero_point - mean * step), info.min, info.max).astype(spec.dtype)


def plain(contract: Contract) -> Contract:
    """The contract without a named filter."""
    return replace(contract, spec=replace(contract.spec, filter=None))
