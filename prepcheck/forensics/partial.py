"""Buffers that are right up to a row: where the agreement ends, and what the rest holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from prepcheck.forensics.case import Case
from prepcheck.forensics.model import BufferSpec, Elements, Expected, Fault, Floats, Pixels, Value
from prepcheck.forensics.naming import Partial
from prepcheck.forensics.trial import Trial, bar_mask
from prepcheck.forensics.values import expected_map
from prepcheck.forensics.verify import compare, with_mix
from prepcheck.forensics.views import expected_view

_WHOLE = 0.97  # share of a row inside the envelope for the row to be right where nothing else disturbs it
_CONTRAST = 0.3  # by how much the rest must agree less
_SLIVER = 2  # rows that must be right, bit by bit, for a buffer of one value behind them to be called cut


def cut(expected: Expected, spec: BufferSpec, buffer: Pixels) -> Fault | None:
    """partial_fill where the first rows are the expected ones bit by bit and all that follows is one value.

    Needs no search, which finds nothing in a sliver or in the bar of a letterbox. None where the expected rows that are
    missing are of one colour themselves (then it may be that colour that is wrong), and for batches.
    """
    if spec.batch > 1 or expected.pixels.ndim != 3 or len(buffer) != spec.nbytes:
        return None
    view = expected_view(spec)
    array, known = view.read(buffer)
    if min(known) < view.height:
        return None
    table = expected_map(spec).table.astype(array.dtype)
    wanted = np.stack([table[c][expected.pixels[..., c]] for c in range(array.shape[2])], axis=-1)
    orders = [(array, wanted)]
    if view.planar:  # rows counted on through the planes, as they lie in memory
        orders.append((_planes(array), _planes(wanted)))
    for given, right in orders:
        same = (given == right).all(axis=(1, 2))
        stop = int(same.argmin())
        rest = [given[stop:, :, c] for c in range(given.shape[2])]
        if stop < _SLIVER or _constant([right[stop:, :, c] for c in range(given.shape[2])]) is not None:
            continue
        value = _constant(rest)
        if value is not None:
            return Fault("partial_fill", {"rows": stop, "rest": value})
    return None


def _planes(array: Elements) -> Elements:
    return np.moveaxis(array, 2, 0).reshape(-1, array.shape[1], 1)


def with_partial(case: Case, trial: Trial) -> list[Trial]:
    """The trial, and the same with the rows after a break left out, where there is such a break."""
    verified = trial.verified
    if verified is None or verified.share >= 0.9999:
        return [trial]
    array, known = trial.view.read(case.buffer)
    height = min(known)
    out = [trial]
    if height >= 2:
        rows = verified.rows[:, :height].mean(axis=0)
        out += _broken(case, trial, array, rows, break_at(rows), through=False)
        if len(out) == 1:
            out += _in_box(case, trial, array, rows)
    if trial.view.planar and trial.view.channels > 1:
        rows = np.concatenate([verified.rows[c, : known[c]] for c in range(trial.view.channels)])
        out += _broken(case, trial, array, rows, break_at(rows), through=True)
    return out


def _in_box(case: Case, trial: Trial, array: Elements, rows: Floats) -> list[Trial]:
    """The same by the box of a letterbox alone: its bars are those of any picture."""
    geometry = case.geometry_of(trial.pose)
    if geometry.kind != "letterbox" or geometry.box is None or trial.pose.dx or trial.pose.dy:
        return []
    bars = bar_mask(case, geometry.box, trial.pose)[: len(rows)].mean(axis=1)
    inside = np.flatnonzero(bars < 1)
    if len(inside) < 2 or not bars.any():
        return []
    shares = np.clip((rows[inside] - bars[inside]) / (1 - bars[inside]), 0, 1).astype(np.float32)
    stop = break_at(shares)
    if stop is None:
        return []
    whole = np.ones(len(rows), np.float32)
    whole[inside] = shares
    whole[inside[-1] + 1 :] = shares[stop:].mean()
    return _broken(case, trial, array, whole, int(inside[stop]), through=False)


def _broken(
    case: Case, trial: Trial, array: Elements, rows: Floats, stop: int | None, *, through: bool
) -> list[Trial]:  # fmt: skip
    if stop is None:
        return []
    height, _, channels = array.shape
    if through:
        known = tuple(int(np.clip(stop - c * height, 0, height)) for c in range(channels))
        rest = [array[known[c] :, :, c] for c in range(channels) if known[c] < height]
    else:
        known = (stop,) * channels
        rest = [array[stop : len(rows), :, c] for c in range(channels)]
    value = _constant(rest)
    what: Value = value if value is not None else "older"
    if value is None and _is_previous(case, trial, array, stop, len(rows), through):
        what = "previous"
    pixels = with_mix(case.whole(trial.pose), trial.fit, case.spec)
    if what == "older" and (
        float(rows[stop:].mean()) > 0.4 or not _telling(pixels[: min(stop, height)], stop / len(rows))
    ):
        return []
    verified = compare(array, pixels, trial.fit, known)
    return [replace(trial, partial=Partial(stop, what, through), verified=verified)]


def break_at(rows: Floats) -> int | None:
    """The number of leading rows that agree, where the rest clearly does not; None where there is no such break."""
    n = len(rows)
    best, stop = 0.0, 0
    total = np.concatenate([[0.0], np.cumsum(rows)])
    counts = np.arange(1, n)
    # The split that separates the two means best (between-class variance), as a threshold does for a histogram.
    left, right = total[1:n] / counts, (total[n] - total[1:n]) / (n - counts)
    gain = np.where(left - right > _CONTRAST, counts * (n - counts) * (left - right) ** 2, 0.0)
    if gain.max() <= best:
        return None
    stop = int(gain.argmax()) + 1
    # The last row may be right in part: it belongs to the rest.
    while stop > 1 and rows[stop - 1] < min(_WHOLE, 0.9 * float(rows[:stop].mean())):
        stop -= 1
    while stop < n - 1 and rows[stop] >= max(_WHOLE, float(rows[:stop].mean())):
        stop += 1
    return stop if float(rows[:stop].mean()) > 0.5 else None


def _telling(pixels: Pixels, share: float) -> bool:
    """Whether agreement in the first rows means anything: they hold detail, and are more than a sliver."""
    return share >= 0.04 and float(pixels.std(axis=(0, 1)).mean()) > 6


def _constant(parts: list[Elements]) -> float | int | list[float] | list[int] | None:
    values: list[float] = []
    for part in parts:
        if not part.size or (part != part.flat[0]).any():
            return None
        values.append(float(part.flat[0]))
    plain = [int(v) if v == int(v) else v for v in values if np.isfinite(v)]
    if not plain:
        return None
    return plain[0] if len(set(plain)) == 1 else [float(v) for v in plain]


def _is_previous(case: Case, trial: Trial, array: Elements, start: int, stop: int, through: bool) -> bool:
    if through:
        return False
    for k in range(1, len(case.frames)):
        pixels = with_mix(case.whole(replace(trial.pose, source=k, geometry=None, resizer=None)), trial.fit, case.spec)
        rest = array[start:stop]
        known = (stop - start,) * array.shape[2]
        if compare(rest, pixels[start:stop], trial.fit, known).share > _WHOLE:
            return True
    return False
