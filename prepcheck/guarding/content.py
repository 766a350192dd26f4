"""Cheap looks at what an array holds: a fixed sample, the unit of its values, the range that the model takes. numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds
from prepcheck.guarding.finding import make

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from prepcheck.guarding.compiled import CompiledTensor
    from prepcheck.guarding.finding import GuardFinding, Value

SAMPLES = 96
"""Elements of the fixed sample: 4 x 8 places x 3 channels. Each place is a cache miss in a picture of a megabyte: 96 elements
take 1 to 3 µs to copy out of 640x640x3, 192 take twice that (measured)."""
PIXEL_SPAN = 64.0
"""A range wider than this is one of pixels; normalized data spans less than 16 with every published mean/std."""
DISTINCT = 12
"""Different multiples of 1/255 that make "divided by 255" certain: a covered lens gives 0 and 1, not twelve levels."""


def slices_for(shape: tuple[int, ...], budget: int = SAMPLES) -> tuple[slice, ...]:
    """Slices that pick at most `budget` elements of an array, evenly over its axes; axes up to 4 long are kept whole."""
    counts = [size if size <= 4 else 1 for size in shape]
    total = 1
    for count in counts:
        total *= count
    while True:
        best, ratio = -1, 1.0
        for i, size in enumerate(shape):
            if size > 4 and size / counts[i] > ratio and total * 2 <= budget and counts[i] * 2 <= size:
                best, ratio = i, size / counts[i]
        if best < 0:
            break
        counts[best] *= 2
        total *= 2
    picked = []
    for size, count in zip(shape, counts):  # noqa: B905 (3.7)
        step = max(1, size // max(1, count))
        picked.append(slice(step // 2 if count < size else 0, None, step))
    return tuple(picked)


class Sampler:
    """Copies the fixed sample out of arrays; remembers the slices of the last shapes (at most 32 of them)."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], tuple[slice, ...]] = {}

    def take(self, array: NDArray[np.generic]) -> NDArray[np.generic]:
        """A view of the sampled elements, in C order of the array's axes."""
        return array[self.slices(array.shape)]

    def slices(self, shape: tuple[int, ...]) -> tuple[slice, ...]:
        """The places of a shape."""
        slices = self._known.get(shape)
        if slices is None:
            if len(self._known) >= 32:
                self._known = {}
            slices = self._known[shape] = slices_for(shape)
        return slices


class Domain:
    """The values that an input takes from the caller.

    low, high: what its codes can hold, in the caller's unit (before mean/std that the model's runtime applies).
    pixels: whether they are pixels of 0 to 255. None of the checks runs where the contract does not say the range.
    """

    __slots__ = ("high", "low", "pixels", "true_high", "true_low")

    def __init__(self, low: float, high: float) -> None:
        self.true_low, self.true_high = low, high
        self.pixels = high - low > PIXEL_SPAN and low > -PIXEL_SPAN and high < 1024.0
        # calibration pictures need not have reached black and white: a white pixel is no fault of the program
        self.low = min(low, 0.0) if self.pixels else low
        self.high = max(high, 255.0) if self.pixels else high


def domain_of(tensor: CompiledTensor, runtime: str) -> Domain | None:
    """The caller's range: mean + std · (value range), over all channels; None where range or normalization is unknown."""
    if tensor.value_range is None:
        return None
    if runtime in ("onnx", "tflite") and "float" not in tensor.dtype:
        return None  # codes go in as they are; nothing quantizes on the way
    low, high = tensor.value_range
    if runtime in ("rknn", "rknn1"):
        if tensor.mean and tensor.std and len(tensor.mean) == len(tensor.std):
            ends = [m + s * v for m, s in zip(tensor.mean, tensor.std) for v in (low, high)]  # noqa: B905 (3.7)
            low, high = min(ends), max(ends)
        elif low < -0.5 and high - low <= PIXEL_SPAN:
            return None
    return Domain(low, high) if high > low else None


def fractions(sample: NDArray[np.generic]) -> bool:
    """Whether values in 0..1 are multiples of 1/255, at least `DISTINCT` different ones: pixels divided by 255."""
    scaled = sample.ravel().astype(np.float32) * np.float32(255.0)
    codes = np.rint(scaled)
    # float16 holds 1/255 steps to 1/8 of a step near 1; float32 to 1/30000
    tolerance = 0.15 if sample.dtype.itemsize == 2 else 0.01
    if not bool((np.abs(scaled - codes) < tolerance).all()):
        return False
    counts = np.bincount(np.clip(codes, 0, 255).astype(np.int64), minlength=256)
    return int(np.count_nonzero(counts)) >= DISTINCT


def unit_of(low: float, high: float, sample: NDArray[np.generic]) -> str | None:
    """`pixels`, `fraction` (of 255), `normalized`, or None where the values do not tell (a dark picture, say).

    Zero-mean data reaches below −0.5 by more than a quarter of what it reaches above; the overshoot of a bicubic or
    Lanczos filter is at most an eighth.
    """
    if high > PIXEL_SPAN and low >= -PIXEL_SPAN:
        return "pixels"
    if low <= -0.5 and high - low <= 16.0 and -low > 0.25 * max(high, 0.0):
        return "normalized"
    if low >= 0.0 and 0.0 < high <= 1.001 and fractions(sample):
        return "fraction"
    return None


def check_range(
    low: float, high: float, sample: NDArray[np.generic], domain: Domain, where: str, scale: float | None
) -> GuardFinding | None:
    """The finding where values of `low` to `high` cannot be in the unit that the model takes; None where they can."""
    values: dict[str, Value] = {"low": low, "high": high, "want_low": domain.low, "want_high": domain.high}
    kind = sample.dtype.kind
    if domain.pixels:
        if kind == "i" and low < 0 <= domain.low:
            values.update(got=sample.dtype.name, low=int(low), high=int(high), shifted=int(low) + 128)
            return make(kinds.SIGNED, where, values)
        unit = unit_of(low, high, sample) if kind == "f" else None
        if unit == "fraction":
            values["codes"] = int(1.0 / scale) + 1 if scale and scale <= 1.0 else 2
            return make(kinds.SCALED_0_1, where, values)
        if unit == "normalized":
            values["span"] = PIXEL_SPAN
            return make(kinds.NORMALIZED_TWICE, where, values)
    width = domain.high - domain.low
    if high > domain.high + width or low < domain.low - width:
        if not domain.pixels and high > PIXEL_SPAN and low >= -1.0:
            values["factor"] = round(high / domain.high, 1) if domain.high > 0 else "far more than"
            return make(kinds.NOT_SCALED, where, values)
        values["width"] = width
        return make(kinds.OUT_OF_RANGE, where, values)
    return None


_MARKS = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"GIF8", "GIF"),
    (b"RIFF", "RIFF (WebP, AVI)"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
)


def encoded_format(start: bytes) -> str | None:
    """The kind of image file whose mark stands at the start of the bytes."""
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    return None
