"""Buffers that need no search: one value throughout; and pictures that have nothing to do with the expected one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from prepcheck.forensics.case import Case, grid
from prepcheck.forensics.model import BufferSpec, Expected, Fault, Pixels
from prepcheck.forensics.values import hypotheses
from prepcheck.forensics.views import expected_view

_RELATED = 0.55


def constant(expected: Expected, spec: BufferSpec, buffer: Pixels) -> tuple[tuple[Fault, ...], tuple[tuple[str, ...], ...]] | None:
    """constant_buffer, with the value faults that would give the same bytes; None where the buffer is not constant."""
    size = spec.itemsize
    usable = len(buffer) // size * size
    if not usable or (buffer[:usable].reshape(-1, size) != buffer[:size]).any():
        return None
    single = replace(spec, shape=(1, *spec.shape[1:])) if spec.batch > 1 else spec
    value = float(expected_view(single).read(buffer)[0].flat[0])
    base = expected.pixels if expected.pixels.ndim == 3 else expected.pixels[0]
    rows, cols = grid(base.shape[0], base.shape[1])
    sample = base[rows][:, cols].reshape(-1, base.shape[2])
    same = []
    for values in hypotheses(single, spec.dtype):
        if values.faults and all((values.table[c][sample[:, c]] == value).all() for c in range(sample.shape[1])):
            same.append(tuple(f.name for f in values.faults))
    shown = int(value) if np.isfinite(value) and value == int(value) else value if np.isfinite(value) else str(value)
    return (Fault("constant_buffer", {"value": shown}),), tuple(dict.fromkeys(same))


def unrelated(case: Case, correlation: float) -> bool:
    """Whether no reading in any pose resembles the picture: pictures share their rough light by chance, no more."""
    return correlation < _RELATED


def same_histogram(case: Case) -> bool:
    """Whether the buffer holds the very values of the expected picture in another order (a shuffle, not another image)."""
    view = expected_view(case.spec)
    found, known = view.read(case.buffer)
    count = min(known)
    if not count:
        return False
    table = hypotheses(case.spec, case.spec.dtype)[0].table
    for c in range(found.shape[2]):
        have = np.sort(found[:count, :, c].astype(np.float32).ravel()[::3])
        want = np.sort(table[c][case.base[:, :, c].ravel()[::3]])
        at = np.linspace(0.01, 0.99, 33)
        span = float(table[c].max() - table[c].min()) or 1.0
        gap = np.abs(np.quantile(have, at) - np.quantile(want, at)) / span
        if float(gap.max()) > 0.02:
            return False
    return True
