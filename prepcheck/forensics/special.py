"""Buffers that need no search: one value throughout; and pictures that have nothing to do with the expected one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from prepcheck.forensics.case import Case, grid
from prepcheck.forensics.coarse import blocks, margins
from prepcheck.forensics.model import BufferSpec, Expected, Fault, Floats, Pixels
from prepcheck.forensics.poses import TURNS, full_box, turned
from prepcheck.forensics.search import Outcome
from prepcheck.forensics.values import hypotheses
from prepcheck.forensics.views import expected_view

_RELATED = (
    0.5  # correlation of leveled blocks; unlike photos: 0.19 in the middle, 0.43 for one in fifty (measured, 189 pairs)
)
_IN_PART = 0.25
_SAME_EDGES = 0.5
"""Correlation of the strength of edges: it outlasts tone curves that are not monotonic. Unlike photos: 0.22 at most, two
views of one scene 0.40 (measured, 400 pairs)."""


def constant(
    expected: Expected, spec: BufferSpec, buffer: Pixels
) -> tuple[tuple[Fault, ...], tuple[tuple[str, ...], ...]] | None:
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


def related(case: Case, outcome: Outcome) -> bool:
    """Whether the buffer shows the picture in some way after all: slightly turned or scaled, in part, or in the rough.

    Pictures share their rough light by chance (correlations up to some 0.5), so a slope of light is taken out first.
    """
    if max((f.score for f in outcome.found), default=0.0) >= _IN_PART and _in_pieces(case) >= _IN_PART:
        return True
    view = expected_view(case.spec)
    array, known = view.read(case.buffer)
    gray, deep = blocks(array, case.factor, known)
    if deep < gray.shape[0] or min(gray.shape) < 8:
        return outcome.correlation >= _RELATED
    here = _level(gray)
    if not here.any():
        return False
    base, _ = blocks(case.base, case.factor)
    inside = _inside(case)
    if float((_edges(gray[inside]) * _edges(base[inside])).sum()) >= _SAME_EDGES:
        return True
    return any(abs(float((here * _level(other)).sum())) >= _RELATED for other in _variants(base))


def _variants(gray: Floats) -> Iterator[Floats]:
    """The blocks in all eight turns, and slightly turned and scaled."""
    for turn in TURNS:
        other = turned(gray, turn)
        if other.shape == gray.shape:
            yield np.ascontiguousarray(other).astype(np.float32)
    height, width = gray.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    y, x = y - (height - 1) / 2, x - (width - 1) / 2
    for degrees in range(-24, 25, 2):
        for scale in (0.8, 0.9, 1.0, 1.12, 1.25):
            c, s = np.cos(np.radians(degrees)) / scale, np.sin(np.radians(degrees)) / scale
            rows = np.clip(np.rint(c * y - s * x + (height - 1) / 2), 0, height - 1).astype(int)
            cols = np.clip(np.rint(s * y + c * x + (width - 1) / 2), 0, width - 1).astype(int)
            yield gray[rows, cols]


def _level(gray: Floats) -> Floats:
    """Blocks without their mean and slopes, norm 1; zeros where nothing is left."""
    height, width = gray.shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    out = gray - gray.mean()
    for plane in (x, y):
        out = out - plane * float((out * plane).sum() / (plane * plane).sum())
    norm = float(np.sqrt((out * out).sum()))
    leveled: Floats = (out / norm if norm > 1e-6 else np.zeros_like(out)).astype(np.float32)
    return leveled


def _inside(case: Case) -> tuple[slice, slice]:
    """The blocks inside the box of a letterbox (its borders are edges of any picture); all where there is none."""
    box, f = full_box(case.spec), case.factor
    top, left = margins(case.spec.size, f)
    rows = slice((max(0, box.y - top) + f - 1) // f + bool(box.y), (box.y + box.h - top) // f - bool(box.y))
    columns = slice((max(0, box.x - left) + f - 1) // f + bool(box.x), (box.x + box.w - left) // f - bool(box.x))
    if rows.stop - rows.start < 8 or columns.stop - columns.start < 8:
        return slice(None), slice(None)
    return rows, columns


def _edges(gray: Floats) -> Floats:
    """Leveled strength of the edges between blocks."""
    down, across = np.gradient(gray)
    return _level(np.sqrt(np.hypot(down, across)).astype(np.float32))


def _in_pieces(case: Case) -> float:
    """Share of short pieces of rows, among those with detail, that follow the expected picture closely."""
    view = expected_view(case.spec)
    array, known = view.read(case.buffer)
    height = min(known)
    length = 24
    if height < 8 or view.width < length:
        return 0.0
    rows = np.linspace(0, height - 1, 48).astype(int)
    width = view.width // length * length
    a = array[rows][:, :width].astype(np.float32).mean(axis=2).reshape(len(rows), -1, length)
    b = case.base[rows][:, :width].astype(np.float32).mean(axis=2).reshape(len(rows), -1, length)
    a, b = np.nan_to_num(a), b - b.mean(axis=2, keepdims=True)
    a = a - a.mean(axis=2, keepdims=True)
    detail = b.std(axis=2) > 4
    norm = np.sqrt((a * a).sum(axis=2) * (b * b).sum(axis=2)) + 1e-6
    close = np.abs((a * b).sum(axis=2)) / norm > 0.95
    return float(close[detail].mean()) if int(detail.sum()) >= 20 else 0.0


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
