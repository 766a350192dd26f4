"""Images by Pillow: the header first, pixels only within the limit. Nothing here trusts what a header says.

Truncated files, decompression bombs, animated files, palettes, 16-bit and CMYK pictures are all told apart.
"""

from __future__ import annotations

import contextlib
import os
import stat
import struct
from typing import TYPE_CHECKING

from prepcheck.errors import ImageError, NotFoundError
from prepcheck.facts.world import ImageFacts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

MAX_PIXELS = 64_000_000
"""Pictures with more pixels are judged from their header and not decoded (`--max-pixels`)."""

BITS = {"1": 1, "I;16": 16, "I;16B": 16, "I;16L": 16, "I": 32, "F": 32}
_PROGRAMS = ("EPS", "WMF")
"""Formats that Pillow hands to a program (Ghostscript, the system's renderer): nothing out of a file is run here."""
BROKEN = (
    OSError, EOFError, SyntaxError, ValueError, TypeError, LookupError, ArithmeticError, MemoryError, struct.error,
)  # fmt: skip
"""What Pillow's decoders raise over damaged files: it has no error of its own for them. Each is told as an ImageError."""
_ORIENTATION = 0x0112  # EXIF 2.32, table 4: Orientation


def read_header(path: str | os.PathLike[str], *, name: str | None = None, input_name: str | None = None) -> ImageFacts:
    """Format, size, mode, EXIF orientation and frame count, without decoding pixels.

    Raises NotFoundError, or ImageError for what is no image that Pillow knows.
    """
    shown = name or os.fspath(path)
    with _open(path, shown) as image:
        return _facts(image, shown, input_name)


def _facts(image: Image, shown: str, input_name: str | None) -> ImageFacts:
    import warnings

    orientation: object = None
    frames = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of damaged tags; what matters of them is told by us
        # Pillow's parsers raise many kinds on damaged tags and further frames; the picture itself may be fine
        with contextlib.suppress(Exception):
            if (
                image.format != "PNG" or "exif" in image.info
            ):  # of a PNG without, Pillow decodes all pixels to look behind them
                orientation = image.getexif().get(_ORIENTATION)
        with contextlib.suppress(Exception):
            frames = int(getattr(image, "n_frames", 1) or 1)
    return ImageFacts(
        name=shown,
        format=(image.format or "unknown").lower(),
        size=(image.width, image.height),
        mode=image.mode,
        bits=BITS.get(image.mode, 8),
        frames=frames,
        orientation=orientation if isinstance(orientation, int) and 1 <= orientation <= 8 else None,
        input=input_name,
    )


class OpenImage:
    """An image file opened once: its header at once, its pixels when asked for. A context manager."""

    def __init__(
        self, path: str | os.PathLike[str], *, input_name: str | None = None, max_pixels: int = MAX_PIXELS
    ) -> None:
        """Read the header. Raises NotFoundError or ImageError."""
        self._image = _open(path, os.fspath(path))
        self._max_pixels = max_pixels
        self.facts = _facts(self._image, os.fspath(path), input_name)

    def __enter__(self) -> OpenImage:
        return self

    def __exit__(self, *problem: object) -> None:
        self._image.close()

    def pixels(self, color: str, *, exif: bool = False) -> NDArray[np.uint8]:
        """As `decode`. Raises ImageError."""
        return _decoded(self._image, self.facts.name, color, exif, self._max_pixels)


def decode(
    path: str | os.PathLike[str],
    color: str,
    *,
    name: str | None = None,
    exif: bool = False,
    max_pixels: int = MAX_PIXELS,
) -> NDArray[np.uint8]:
    """Decoded pixels, H x W (GRAY) or H x W x C uint8 in `color` (RGB, BGR, RGBA, BGRA, GRAY).

    exif: turn the picture as its EXIF tag says. Raises ImageError (over the limit, truncated, damaged) or NotFoundError.
    """
    shown = name or os.fspath(path)
    with _open(path, shown) as image:
        return _decoded(image, shown, color, exif, max_pixels)


def _decoded(image: Image, shown: str, color: str, exif: bool, max_pixels: int) -> NDArray[np.uint8]:
    import warnings

    import numpy as np
    from PIL import ImageOps

    pixels = image.width * image.height
    if pixels > max_pixels:
        raise ImageError(
            f"{shown}: {image.width} x {image.height} = {pixels} pixels, over the limit of {max_pixels}; "
            f"it was judged by its header only (raise the limit with --max-pixels)"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = ImageOps.exif_transpose(image) if exif else image
            mode = {"GRAY": "L", "RGBA": "RGBA", "BGRA": "RGBA"}.get(color, "RGB")
            plain = _to_8_bit(picture)
            data = _array(plain if plain.mode == mode else plain.convert(mode))
    except BROKEN as error:
        raise ImageError(f"{shown}: cannot be decoded ({_words(error)}); the file is damaged or cut short") from None
    if color == "BGR":
        data = data[..., ::-1]
    elif color == "BGRA":
        data = data[..., [2, 1, 0, 3]]
    return np.ascontiguousarray(data)


_STRIP = 1 << 21
"""Pixels that are copied out of a picture at a time: Pillow holds two copies of what it hands over meanwhile."""


def _array(image: Image) -> NDArray[np.uint8]:
    import numpy as np

    rows = max(1, _STRIP // max(1, image.width))
    if rows >= image.height:
        return np.asarray(image)
    first = np.asarray(image.crop((0, 0, image.width, rows)))
    found = np.empty((image.height, *first.shape[1:]), np.uint8)
    found[:rows] = first
    for top in range(rows, image.height, rows):
        below = min(top + rows, image.height)
        found[top:below] = np.asarray(image.crop((0, top, image.width, below)))
    return found


def _to_8_bit(image: Image) -> Image:
    """16-bit greys are scaled down by 256, as OpenCV does; Pillow's own convert would clip them."""
    if image.mode.startswith("I;16") and image.mode != "I;16":
        image = image.convert("I")  # of the 16-bit modes, Pillow's point() takes the machine's own only
    if image.mode in ("I;16", "I"):
        return image.point(lambda v: v * (1 / 256)).convert("L")
    return image


def _open(path: str | os.PathLike[str], shown: str) -> Image:
    import warnings

    from PIL import Image, UnidentifiedImageError

    if not os.path.exists(path):
        raise NotFoundError(f"{shown}: no such file")
    if os.path.isdir(path):
        raise NotFoundError(f"{shown}: is a folder; give an image file (or use `prepcheck sweep` for a folder)")
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ImageError(f"{shown}: is a pipe or a device, not a file; copy its content into one")
    if not os.path.isfile(path):
        raise ImageError(f"{shown}: is no regular file (a pipe, socket or device); save the image first")
    if os.path.getsize(path) == 0:
        raise ImageError(f"{shown}: the file is empty (0 bytes)")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our own limit on pixels is applied before anything is decoded
            Image.MAX_IMAGE_PIXELS = None
            image = Image.open(path)
            if image.format in _PROGRAMS:
                image.close()
                raise ImageError(f"{shown}: is {image.format}, drawn by a program that is run; save it as PNG or JPEG")
            return image
    except UnidentifiedImageError:
        raise ImageError(f"{shown}: is no image that can be read here{_hint(path)}") from None
    except BROKEN as error:
        raise ImageError(f"{shown}: cannot be opened as an image ({_words(error)})") from None


def _hint(path: str | os.PathLike[str]) -> str:
    with open(path, "rb") as stream:
        head = stream.read(16)
    if head.startswith(b"\x93NUMPY"):
        return "; it is a NumPy array: give it as `--buffer`"
    if head.startswith(b"version https://"):
        return "; it is a Git LFS pointer: run `git lfs pull`"
    return "; raw bytes are given with `--buffer`"


def _words(error: BaseException) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
