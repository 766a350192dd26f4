"""Streams that look like faults and are none. Each yields (frame or None, input array, outputs) for ever.

The size is small so that a million frames take a minute or two; what the guard looks at does not depend on the size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.guarding.contracts import Array, mnn, picture, rknn

H, W = 24, 32
Item = tuple[Any, Array, list[Array]]
Rng = np.random.Generator
SHAPE = (1, H, W, 3)


class Net:
    """A stand-in for a network: rich float answers, int8 answers, two-class scores, detections; depends on the input only."""

    def __init__(self, rng: Rng) -> None:
        self.weights = rng.normal(0, 0.02, (64, 40)).astype(np.float32)

    def rich(self, array: Array) -> list[Array]:
        """40 floats."""
        flat = np.asarray(array, np.float32).ravel()[: 64 * 32].reshape(64, 32).mean(1)
        return [(flat @ self.weights)[None]]

    def coarse(self, array: Array) -> list[Array]:
        """40 int8 codes that small changes of the input leave alone."""
        return [np.clip(np.rint(self.rich(array)[0] * 2.0), -128, 127).astype(np.int8)]

    def two_class(self, array: Array) -> list[Array]:
        """Saturated scores of two classes, as a quantized network gives them most of the time."""
        return [np.array([[1.0, 0.0]], np.float32)]

    def pinned(self, array: Array) -> list[Array]:
        """Scores that the softmax of pinned codes gives."""
        return [np.array([[0.9994, 0.0006]], np.float32)]

    def nothing(self, array: Array) -> list[Array]:
        """No detections: padded boxes, a count of zero, and prior boxes that are constant by construction."""
        boxes = np.full((1, 100, 6), -1.0, np.float32)
        priors = np.linspace(0, 1, 400, dtype=np.float32).reshape(1, 100, 4)
        return [boxes, np.zeros((1, 1), np.int32), priors]

    def label(self, array: Array) -> list[Array]:
        """A class id: the same object in front of the camera for hours."""
        return [np.array([7], np.int64)]


def _pool(rng: Rng, count: int = 64) -> list[Array]:
    return [picture(rng, H, W)[None] for _ in range(count)]


def _noisy(rng: Rng, base: Array, sigma: int) -> Array:
    noise = rng.integers(-sigma, sigma + 1, base.shape, dtype=np.int16)
    return np.clip(base + noise, 0, 255).astype(np.uint8)


def moving(rng: Rng, net: Net) -> Iterator[Item]:
    """Ordinary pictures, each different."""
    pool = _pool(rng)
    while True:
        frame = np.roll(pool[int(rng.integers(64))], int(rng.integers(W)), axis=2)
        yield frame[0], frame, net.rich(frame)


def static_scene(rng: Rng, net: Net) -> Iterator[Item]:
    """The same bytes again and again, from a file or a still camera."""
    frame = _pool(rng, 1)[0]
    while True:
        yield frame[0], frame, net.rich(frame)


def static_noise(rng: Rng, net: Net) -> Iterator[Item]:
    """A still scene with sensor noise; coarse answers repeat bit by bit."""
    base = _pool(rng, 1)[0]
    while True:
        frame = _noisy(rng, base, 2)
        yield frame[0], frame, net.coarse(frame)


def lens_cap(rng: Rng, net: Net) -> Iterator[Item]:
    """Exactly one value, black or the pedestal of 16, with gaps of a real scene."""
    pool = _pool(rng, 8)
    while True:
        black = np.full(SHAPE, int(rng.choice([0, 1, 16])), np.uint8)
        for _ in range(int(rng.integers(50, 500))):
            yield black[0], black, net.two_class(black)
        for _ in range(int(rng.integers(5, 50))):
            frame = pool[int(rng.integers(8))]
            yield frame[0], frame, net.rich(frame)


def lens_cap_noise(rng: Rng, net: Net) -> Iterator[Item]:
    """Values 0 to 3 and no picture."""
    while True:
        frame = rng.integers(0, int(rng.integers(2, 5)), SHAPE, dtype=np.uint8)
        yield frame[0], frame, net.two_class(frame)


def lens_cap_float(rng: Rng, net: Net) -> Iterator[Item]:
    """The same as float pixels, resized by an interpolation that leaves fractions and overshoots below zero."""
    while True:
        small = rng.integers(0, 3, (1, H, W, 3)).astype(np.float32)
        mixed = 0.75 * small + 0.35 * np.roll(small, 1, 2) - 0.1 * np.roll(small, 2, 2)
        yield None, mixed.astype(np.float32), net.two_class(small)


def night(rng: Rng, net: Net) -> Iterator[Item]:
    """Dark with a few lights; the answers are saturated."""
    while True:
        frame = rng.integers(0, 12, SHAPE, dtype=np.uint8)
        if rng.random() < 0.3:
            frame[0, int(rng.integers(H)), int(rng.integers(W))] = 255
        yield frame[0], frame, net.pinned(frame)


def duplicated(rng: Rng, net: Net) -> Iterator[Item]:
    """25 frames a second shown as 30: every fifth frame comes twice."""
    pool, k = _pool(rng), 0
    while True:
        frame = pool[(k * 5 // 6) % 64]
        k += 1
        yield frame[0], frame, net.rich(frame)


def frozen_rtsp(rng: Rng, net: Net) -> Iterator[Item]:
    """A stream that freezes for seconds or hours and comes back."""
    pool = _pool(rng)
    while True:
        for _ in range(int(rng.integers(20, 100))):
            frame = pool[int(rng.integers(64))]
            yield frame[0], frame, net.rich(frame)
        for _ in range(int(rng.integers(100, 2000))):
            yield frame[0], frame, net.rich(frame)


def saturated(rng: Rng, net: Net) -> Iterator[Item]:
    """Different pictures, always the same saturated two scores."""
    for frame, array, _ in moving(rng, net):
        yield frame, array, net.two_class(array)


def saturated_pinned(rng: Rng, net: Net) -> Iterator[Item]:
    """Different pictures, always 0.9994 and 0.0006."""
    for frame, array, _ in moving(rng, net):
        yield frame, array, net.pinned(array)


def no_detections(rng: Rng, net: Net) -> Iterator[Item]:
    """Different pictures with nothing in them, and from time to time something."""
    for frame, array, rich in moving(rng, net):
        found = rng.random() < 0.01
        yield frame, array, [np.tile(rich[0], 3), np.ones((1, 1), np.int32)] if found else net.nothing(array)


def one_class(rng: Rng, net: Net) -> Iterator[Item]:
    """The answer is the number of a class."""
    for frame, array, _ in moving(rng, net):
        yield frame, array, net.label(array)


def warm_up(rng: Rng, net: Net) -> Iterator[Item]:
    """Runs on zeros first, then a camera whose exposure rises from black; again after each reconnect."""
    pool, zeros = _pool(rng), np.zeros(SHAPE, np.uint8)
    while True:
        for _ in range(30):
            yield None, zeros, net.rich(zeros)
        for step in range(60):
            frame = (pool[int(rng.integers(64))].astype(np.float32) * (step / 60)).astype(np.uint8)
            yield frame[0], frame, net.rich(frame)
        for _ in range(int(rng.integers(100, 400))):
            frame = pool[int(rng.integers(64))]
            yield frame[0], frame, net.rich(frame)


def warm_up_float(rng: Rng, net: Net) -> Iterator[Item]:
    """The same as float pixels: from values below 1 to the full range."""
    for _, array, outputs in warm_up(rng, net):
        yield None, array.astype(np.float32), outputs


def clock_in_the_corner(rng: Rng, net: Net) -> Iterator[Item]:
    """A still picture in which only the digits of a clock change."""
    base = _pool(rng, 1)[0]
    while True:
        frame = base.copy()
        frame[0, :4, :12] = rng.integers(0, 2, (4, 12, 1), dtype=np.uint8) * 255
        yield frame[0], frame, net.coarse(frame)


def white_sky(rng: Rng, net: Net) -> Iterator[Item]:
    """A crop of the sky: 255 everywhere, the frame is that crop."""
    white = np.full(SHAPE, 255, np.uint8)
    while True:
        yield white[0], white, net.two_class(white)


def day_and_night(rng: Rng, net: Net) -> Iterator[Item]:
    """Rich answers by day, saturated ones by night, scene cuts, exposure jumps."""
    pool = _pool(rng)
    while True:
        gain = float(rng.uniform(0.02, 1.5))
        for _ in range(int(rng.integers(20, 200))):
            frame = np.clip(pool[int(rng.integers(64))] * gain, 0, 255).astype(np.uint8)
            yield frame[0], frame, net.rich(frame) if gain > 0.3 else net.pinned(frame)


def gpu_noise(rng: Rng, net: Net) -> Iterator[Item]:
    """A still scene answered in half precision: the last digits move."""
    frame = _pool(rng, 1)[0]
    exact = net.rich(frame)[0]
    while True:
        yield frame[0], frame, [(exact * (1 + rng.normal(0, 0.001, exact.shape))).astype(np.float32)]


def normalized_float(rng: Rng, net: Net) -> Iterator[Item]:
    """ImageNet-normalized pictures, dark ones among them, for a model that says nothing of its range."""
    mean, std = np.float32([123.675, 116.28, 103.53]), np.float32([58.395, 57.12, 57.375])
    for frame, array, outputs in day_and_night(rng, net):
        yield frame, ((array - mean) / std).astype(np.float32), outputs


def fractions(rng: Rng, net: Net) -> Iterator[Item]:
    """Pictures divided by 255, dark ones among them, for a model that says nothing of its range."""
    for frame, array, outputs in day_and_night(rng, net):
        yield frame, array.astype(np.float32) / np.float32(255.0), outputs


def noise_pictures(rng: Rng, net: Net) -> Iterator[Item]:
    """Random bytes, as in a benchmark."""
    while True:
        frame = rng.integers(0, 256, SHAPE, dtype=np.uint8)
        yield None, frame, net.rich(frame)


Stream = Callable[[Rng, Net], Iterator[Item]]
PIXELS = rknn(SHAPE)
SILENT = mnn(SHAPE, "NHWC")
BYTES = mnn(SHAPE, "NHWC", "uint8")
STREAMS: dict[str, tuple[Stream, dict[str, Any]]] = {
    **{
        f.__name__: (f, PIXELS)
        for f in (
            moving, static_scene, static_noise, lens_cap, lens_cap_noise, lens_cap_float, night, duplicated, frozen_rtsp,
            saturated, saturated_pinned, no_detections, one_class, warm_up, warm_up_float, clock_in_the_corner, white_sky,
            day_and_night, gpu_noise, noise_pictures,
        )
    },
    "normalized_float": (normalized_float, SILENT),
    "fractions": (fractions, SILENT),
    "warm_up_silent": (warm_up_float, SILENT),
    "lens_cap_silent": (lens_cap_float, SILENT),
    "day_and_night_bytes": (day_and_night, BYTES),
}  # fmt: skip
