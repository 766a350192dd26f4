"""Small seeded pictures and sets for the tests of sweeps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tests.cli.run import MODELS

SMALL = MODELS / "rknn" / "rk3566_nomean_i8.rknn"
"""One input, [1, 20, 36, 3] int8, NCHW [1, 3, 20, 36] before conversion."""
SIZE = (36, 20)


def texture(seed: int, size: tuple[int, int] = SIZE, tint: tuple[int, int, int] = (0, 0, 0)) -> NDArray[np.uint8]:
    """A picture with all values from dark to bright. size: (width, height); tint: added to R, G, B."""
    rng = np.random.default_rng(seed)
    low = rng.integers(0, 256, (4, 6, 3), dtype=np.uint8)
    picture = np.asarray(Image.fromarray(low).resize(size, Image.Resampling.BICUBIC), dtype=np.int16)
    picture = picture + rng.integers(-8, 9, picture.shape) + np.array(tint)
    picture[0, 0], picture[-1, -1] = 0, 255
    return np.clip(picture, 0, 255).astype(np.uint8)


def save(path: Path, picture: NDArray[np.uint8]) -> Path:
    """Save by the ending; .jpg with quality 95."""
    path.parent.mkdir(parents=True, exist_ok=True)
    options = {"quality": 95} if path.suffix == ".jpg" else {}
    Image.fromarray(picture).save(path, **options)
    return path


def folder(path: Path, count: int, *, ending: str = "png", size: tuple[int, int] = SIZE) -> Path:
    """A folder of `count` different pictures."""
    for number in range(count):
        save(path / f"{number:03d}.{ending}", texture(number, size))
    return path
