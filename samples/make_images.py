#!/usr/bin/env python3
"""Make the sample pictures: a street scene of simple shapes, in several sizes. Needs numpy and Pillow.

python samples/make_images.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

HERE = Path(__file__).resolve().parent


def scene(width: int, height: int, seed: int) -> Image.Image:
    """A sky, a road, houses and a red car; colours differ in every corner so that swaps and flips can be seen."""
    rng = np.random.default_rng(seed)
    top, bottom = np.array([110, 160, 230]), np.array([90, 90, 95])
    ramp = np.linspace(0, 1, height)[:, None, None]
    base = top + (bottom - top) * ramp + np.linspace(-20, 20, width)[None, :, None]
    image = Image.fromarray(np.clip(base + rng.normal(0, 4, (height, width, 3)), 0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for i in range(6):
        x, w = int(width * (0.02 + 0.16 * i)), int(width * rng.uniform(0.08, 0.14))
        y = int(height * rng.uniform(0.25, 0.45))
        color = tuple(int(c) for c in rng.integers(70, 230, 3))
        draw.rectangle((x, y, x + w, int(height * 0.62)), fill=color)
        for k in range(3):
            draw.rectangle((x + 6 + k * w // 4, y + 10, x + 12 + k * w // 4, y + 24), fill=(250, 240, 170))
    draw.polygon(
        [
            (int(width * 0.35), int(height * 0.62)),
            (int(width * 0.65), int(height * 0.62)),
            (width, height),
            (0, height),
        ],
        fill=(70, 70, 74),
    )
    cx, cy = int(width * rng.uniform(0.4, 0.6)), int(height * 0.78)
    draw.rectangle((cx - width // 12, cy - height // 18, cx + width // 12, cy + height // 18), fill=(200, 30, 25))
    for dx in (-width // 18, width // 18):
        draw.ellipse((cx + dx - 14, cy + height // 22, cx + dx + 14, cy + height // 22 + 28), fill=(15, 15, 15))
    return image.filter(ImageFilter.GaussianBlur(0.6))


def main() -> None:
    """Write all sample pictures."""
    three = HERE / "03_rv1106_zero_copy"
    scene(800, 400, 3).save(three / "street.jpg", quality=90)
    scene(800, 800, 4).save(three / "square.jpg", quality=90)
    Image.new("RGB", (800, 800)).save(three / "black.jpg", quality=90)
    scene(120, 90, 5).save(HERE / "02_rv1126_batch100" / "plate.png")
    scene(640, 480, 6).save(HERE / "01_mnn_ostrack_gpu" / "frame.jpg", quality=90)


if __name__ == "__main__":
    main()
