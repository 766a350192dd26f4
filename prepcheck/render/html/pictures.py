"""Pictures as data URIs within a budget of bytes, and the heat map: dark to light, readable without telling red from green."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from prepcheck.render.html.model import Floats, Pixels

BUDGET = 560_000
"""Bytes of all pictures of a page before base64, which makes 747 kB of them: with text the page stays below 1 MB."""
LARGEST_SIDE = 800
"""Pixels of the longer side: a third of the page's width, twice over for fine screens."""
THUMB = 128
SMALL = 24_000
"""Pixels up to which a picture is stored without loss and shown with hard edges."""
QUALITIES = (88, 78, 66, 52)
TOPS = (8.0, 16.0, 32.0, 64.0, 128.0, 255.0)
HEAT = ((13, 16, 45), (59, 28, 104), (132, 39, 110), (199, 66, 82), (239, 122, 56), (252, 194, 88), (252, 246, 205))
"""The colours of the heat map from no difference to the largest: luminance rises from each to the next."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """An image element: source, the size to state (pixels of the picture itself), and whether edges stay hard."""

    uri: str
    width: int
    height: int
    hard: bool


def encode(pixels: Pixels, limit: int) -> Encoded:
    """A picture H x W x 3 as PNG (small ones) or as JPEG of at most `limit` bytes, scaled down as far as that takes."""
    height, width = pixels.shape[:2]
    image = Image.fromarray(np.ascontiguousarray(pixels), "RGB")
    small = width * height <= SMALL
    side = LARGEST_SIDE
    if max(width, height) > side:
        image.thumbnail((side, side), Image.Resampling.BOX)
    data = _png(image) if small else _within(image, limit)
    kind = "png" if data[:4] == b"\x89PNG" else "jpeg"
    return Encoded(f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}", width, height, small)


def thumb(pixels: Pixels) -> Encoded:
    """A picture as a thumbnail of at most THUMB pixels a side (fewer than it has, never more), about 3 kB."""
    height, width = pixels.shape[:2]
    image = Image.fromarray(np.ascontiguousarray(pixels), "RGB")
    image.thumbnail((THUMB, THUMB), Image.Resampling.BOX)
    data = _jpeg(image, 80)
    uri = f"data:image/jpeg;base64,{base64.b64encode(data).decode('ascii')}"
    return Encoded(uri, width, height, False)


def _within(image: Image.Image, limit: int) -> bytes:
    """JPEG bytes: the best quality that fits; where none does, fewer pixels, as many as the last size suggests."""
    data = b""
    for _ in range(4):
        for quality in QUALITIES:
            data = _jpeg(image, quality)
            if len(data) <= limit:
                return data
            if len(data) > 2.5 * limit:
                break
        factor = min(0.85, (limit / len(data)) ** 0.5)
        image = image.resize(
            (max(1, int(image.width * factor)), max(1, int(image.height * factor))), Image.Resampling.BOX
        )
    return data


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _jpeg(image: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality, subsampling=0)
    return out.getvalue()


def share(pictures: int) -> int:
    """Bytes that one of so many pictures may take."""
    return max(6_000, BUDGET // max(4, pictures))


def heat_top(difference: Floats) -> float:
    """The difference that the lightest colour stands for: the first of TOPS that all but one in a thousand stay below."""
    known = difference[np.isfinite(difference)]
    most = float(np.percentile(known, 99.9)) if known.size else 255.0
    return next((top for top in TOPS if most <= 0.9 * top), TOPS[-1])


def heat_map(difference: Floats, top: float) -> Pixels:
    """H x W pixel steps → H x W x 3. Scaled down first where large (the largest of a block stands for it), so that a thin
    line of errors stays visible. NaN (never written) is mid grey."""
    reduced = _largest_of_blocks(difference, -(-max(difference.shape) // LARGEST_SIDE))
    level = np.clip(np.nan_to_num(reduced / top, nan=0.0) * 255, 0, 255).astype(np.uint8)
    picture: Pixels = _palette()[level]
    picture[~np.isfinite(reduced)] = (128, 128, 128)
    return picture


def _largest_of_blocks(values: Floats, block: int) -> Floats:
    if block <= 1:
        return values
    height, width = values.shape
    padded = np.pad(values, ((0, -height % block), (0, -width % block)), mode="edge")
    blocks = padded.reshape(padded.shape[0] // block, block, padded.shape[1] // block, block)
    return np.asarray(np.fmax.reduce(np.fmax.reduce(blocks, axis=3), axis=1), dtype=np.float32)


def _palette() -> NDArray[np.uint8]:
    at = np.linspace(0, 255, len(HEAT))
    channels = [np.interp(np.arange(256), at, [color[c] for color in HEAT]) for c in range(3)]
    table: NDArray[np.uint8] = np.rint(np.stack(channels, axis=1)).astype(np.uint8)
    return table


def gradient(colors: Sequence[tuple[int, int, int]] = HEAT) -> str:
    """The heat map's colours as a CSS gradient, for its legend."""
    stops = [f"rgb({r},{g},{b}) {100 * i // (len(colors) - 1)}%" for i, (r, g, b) in enumerate(colors)]
    return f"linear-gradient(90deg,{','.join(stops)})"
