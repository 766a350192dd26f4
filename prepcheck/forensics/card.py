"""The test card: a picture on which every fault of the vocabulary is visible and unlike every other."""

from __future__ import annotations

import numpy as np

from prepcheck.errors import UsageError
from prepcheck.forensics.model import Floats, Pixels


def test_card(width: int, height: int) -> Pixels:
    """An RGB picture of height x width x 3 uint8, the same for the same size.

    Four quadrants of different strong colours (turns, flips, channel order, U and V), ramps of different length and
    direction in each channel over the whole range of values (tone, range, signs, saturation), a ring and lines that run
    together (aspect, crop, letterbox, filters), fine noise (shifts by one pixel, pitch, offset), a colour per row at the
    left edge and a mark in each corner. Raises UsageError where a side is below 16 or above 16384.
    """
    if not (16 <= width <= 16384 and 16 <= height <= 16384):
        raise UsageError(f"a test card of {width} x {height} cannot be drawn: each side must be between 16 and 16384")
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    u, v = (x + 0.5) / width, (y + 0.5) / height
    card: Floats = np.empty((height, width, 3), np.float32)
    card[..., 0] = 30 + 200 * u
    card[..., 1] = 225 - 190 * v
    card[..., 2] = 20 + 150 * (u * 0.35 + v * 0.65) ** 1.4
    for where, colour in (
        ((u < 0.5) & (v < 0.5), (55, -35, -20)),
        ((u >= 0.5) & (v < 0.5), (-75, 30, 45)),
        ((u < 0.5) & (v >= 0.5), (15, -45, 85)),
        ((u >= 0.5) & (v >= 0.5), (20, 40, -60)),
    ):
        card[where] += np.asarray(colour, np.float32)
    _rings(card, x, y)
    _bars(card, u, v)
    card += _noise(height, width)
    _edges(card)
    out: Pixels = np.clip(np.rint(card), 0, 255).astype(np.uint8)
    return out


def _rings(card: Floats, x: Floats, y: Floats) -> None:
    """A zone plate off the centre: its frequency grows outwards, so every filter and scale leaves its own pattern."""
    height, width = card.shape[:2]
    side = min(height, width)
    cx, cy, radius = width * 0.62, height * 0.41, side * 0.27
    distance = np.hypot(x - cx, y - cy)
    wave = np.cos(np.pi * 0.35 * distance**2 / radius) * 70
    inside = distance < radius
    card[inside] += wave[inside][:, None] * np.asarray((1.0, 0.7, -0.4), np.float32)


def _bars(card: Floats, u: Floats, v: Floats) -> None:
    """Saturated colours with black and white in a row at the lower left, all different."""
    colours = (
        (255, 255, 255),
        (255, 220, 0),
        (0, 210, 230),
        (20, 180, 40),
        (210, 0, 180),
        (230, 20, 20),
        (10, 40, 220),
        (0, 0, 0),
    )
    band = (v > 0.78) & (v < 0.9)
    for i, colour in enumerate(colours):
        card[band & (u >= 0.08 + 0.055 * i) & (u < 0.08 + 0.055 * (i + 1))] = colour


def _noise(height: int, width: int) -> Floats:
    """Fine noise of a few steps over all, strong in one patch; from a fixed seed."""
    rng = np.random.default_rng(20)
    noise = rng.normal(0, 4, (height, width, 3)).astype(np.float32)
    top, left = int(height * 0.62), int(width * 0.6)
    patch = noise[top : top + height // 5, left : left + width // 4]
    patch *= 8
    return noise


def _edges(card: Floats) -> None:
    """Corner marks of different sizes and colours."""
    height, width = card.shape[:2]
    s = max(2, min(height, width) // 12)
    card[:s, :s] = (250, 10, 10)
    card[: s // 2, -s:] = (10, 240, 10)
    card[-s:, : s // 2] = (20, 30, 250)
    card[-s // 2 :, -s // 2 :] = (245, 245, 30)
