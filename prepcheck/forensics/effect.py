"""How far a fault moves the input: PSNR against the expected elements, saturated codes, distinct codes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.dtypes import integer_range
from prepcheck.forensics.model import BufferSpec, Effect, Expected, Pixels
from prepcheck.forensics.values import expected_map
from prepcheck.forensics.views import expected_view

_SAMPLED = 1 << 16


def effect(expected: Expected, spec: BufferSpec, buffer: Pixels) -> Effect:
    """The effect on the first picture of the buffer, read as the runtime would read it (a sample of rows)."""
    single = replace(spec, shape=(1, *spec.shape[1:])) if spec.batch > 1 else spec
    view = expected_view(single)
    found, known = view.read(buffer)
    base = expected.pixels if expected.pixels.ndim == 3 else expected.pixels[0]
    height, width, channels = found.shape
    step = max(1, height * width * channels // _SAMPLED)
    rows = slice(0, max(1, min(known) or height), step)
    values = np.nan_to_num(found[rows].astype(np.float64), nan=0.0, posinf=3e38, neginf=-3e38)
    table = expected_map(spec).table
    wanted = np.stack([table[c][base[rows][..., c]] for c in range(channels)], axis=2).astype(np.float64)
    peak = float(table.max() - table.min()) or 1.0
    error = float(np.mean(np.minimum(np.abs(values - wanted), 1e6) ** 2))
    psnr = float("inf") if error == 0 else round(10 * float(np.log10(peak**2 / error)), 2)
    limits = integer_range(spec.dtype)
    ends, ends_wanted = (_ends(v, limits) for v in (values, wanted))
    return Effect(psnr, ends, int(np.unique(values).size), int(np.unique(wanted).size), ends_wanted)


def _ends(values: NDArray[np.float64], limits: tuple[int, int] | None) -> float:
    """Share of the elements at either end of an integer type; 0 for floats."""
    return round(float(((values == limits[0]) | (values == limits[1])).mean()), 5) if limits else 0.0
