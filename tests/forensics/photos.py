"""Pictures: photos that packages ship where those are installed, generated ones everywhere."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from prepcheck.forensics import test_card

U8 = NDArray[np.uint8]
COLOURED = {
    "skimage": ["astronaut.png", "chelsea.png", "coffee.png", "hubble_deep_field.jpg", "ihc.png", "motorcycle_left.png",
                "motorcycle_right.png", "retina.jpg", "rocket.jpg"],
    "sklearn": ["china.jpg", "flower.jpg"],
}  # fmt: skip
GRAY = {"skimage": ["camera.png", "coins.png", "moon.png", "brick.png", "grass.png"]}


def _folder(package: str) -> Path | None:
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        return None
    return Path(found.origin).parent / {"skimage": "data", "sklearn": "datasets/images"}[package]


def _load(table: dict[str, list[str]]) -> dict[str, U8]:
    out = {}
    for package, names in table.items():
        folder = _folder(package)
        for name in names:
            if folder is not None and (folder / name).is_file():
                image = np.asarray(Image.open(folder / name).convert("RGB"))
                side = max(image.shape[:2])
                if side > 1400:
                    image = cv2.resize(
                        image,
                        (image.shape[1] * 1400 // side, image.shape[0] * 1400 // side),
                        interpolation=cv2.INTER_AREA,
                    )
                out[name.split(".")[0]] = image
    return out


@lru_cache(maxsize=1)
def photos() -> dict[str, U8]:
    """Coloured photos of scikit-image and scikit-learn (empty where they are not installed)."""
    return _load(COLOURED)


@lru_cache(maxsize=1)
def gray_photos() -> dict[str, U8]:
    """Gray photos as RGB."""
    return _load(GRAY)


@lru_cache(maxsize=4)
def scene(seed: int = 0, width: int = 500, height: int = 360) -> U8:
    """A generated picture like a photo: sky, ground, coloured things with soft and hard edges, texture, grain."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    out = np.empty((height, width, 3), np.float32)
    top, low = rng.uniform(40, 240, (2, 3))
    out[:] = top + (low - top) * (y / height)[..., None] ** 0.8
    for _ in range(26):
        colour = rng.uniform(0, 255, 3)
        cx, cy, rx, ry = (
            rng.uniform(0, width),
            rng.uniform(0, height),
            rng.uniform(8, width / 5),
            rng.uniform(8, height / 4),
        )
        turn = rng.uniform(0, np.pi)
        u = ((x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)) / rx
        v = ((y - cy) * np.cos(turn) - (x - cx) * np.sin(turn)) / ry
        if rng.random() < 0.5:
            mask = np.clip((1.1 - np.hypot(u, v)) * 8, 0, 1)
        else:
            mask = ((np.abs(u) < 1) & (np.abs(v) < 1)).astype(np.float32)
        shade = 1 + 0.3 * u[..., None]
        out += mask[..., None] * (colour * shade - out)
    grain = rng.normal(0, 1, (height, width)).astype(np.float32)
    out += cv2.GaussianBlur(grain, (0, 0), 3)[..., None] * 25 + grain[..., None] * 4
    return np.clip(np.round(out), 0, 255).astype(np.uint8)


def card() -> U8:
    return test_card(640, 480)
