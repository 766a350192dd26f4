"""One reading with one pose: fitted on a grid of points, sharpened, then judged on every element."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.geometry import Box
from prepcheck.forensics import colour
from prepcheck.forensics import fit as fitting
from prepcheck.forensics.case import Case, Index, grid
from prepcheck.forensics.filters import FAMILY
from prepcheck.forensics.fit import Fit
from prepcheck.forensics.model import Elements, Floats, Geometry, Pixels
from prepcheck.forensics.naming import Partial
from prepcheck.forensics.poses import EXCHANGING, TURNS, Pose, turned
from prepcheck.forensics.verify import Verified, compare, with_mix
from prepcheck.forensics.views import View, expected_view


@dataclass(frozen=True, slots=True)
class Trial:
    """A complete explanation, with its measure once it was verified."""

    view: View
    pose: Pose
    fit: Fit
    partial: Partial | None = None
    verified: Verified | None = None


@dataclass(frozen=True, slots=True)
class Points:
    """The sample of one reading: rows, columns, elements found, channels known, columns of the view that are whole."""

    rows: Index
    cols: Index
    found: Floats
    channels: tuple[int, ...]


def points(case: Case, view: View, tail: int) -> Points | None:
    """A grid of elements of the reading; the constant tail of the buffer (from byte `tail` on) is left out."""
    array, known = view.read(case.buffer)
    inner = view.rows_in(min(tail, len(case.buffer)))
    limits = inner if max(inner) >= 4 else known
    full = max(limits)
    channels = tuple(c for c, n in enumerate(limits) if n >= full * 0.9)
    count = min(limits[c] for c in channels)
    if count < 4:
        return None
    rows, cols = grid(count, min(view.width, max(1, view.pitch // max(1, view.row_bytes // view.width))))
    found = array[rows][:, cols].astype(np.float32)
    found = np.clip(np.nan_to_num(found, nan=1e6), -1e6, 1e6)  # what is beyond is foreign, however far
    return Points(rows, cols, found, channels)


def inner(sample: Points, dx: int, dy: int, size: tuple[int, int], margin: int = 0) -> Points:
    """The points that a displacement did not push in over an edge (those say nothing); all where that leaves too few."""
    rows = (sample.rows >= max(0, dy) + margin) & (sample.rows < size[0] + min(0, dy) - margin)
    cols = (sample.cols >= max(0, dx) + margin) & (sample.cols < size[1] + min(0, dx) - margin)
    if int(rows.sum()) < 8 or int(cols.sum()) < 8:
        return sample
    return Points(sample.rows[rows], sample.cols[cols], sample.found[rows][:, cols], sample.channels)


def restricted(sample: Points, keep: NDArray[np.bool_]) -> Points:
    """The sample with some rows only."""
    return replace(sample, rows=sample.rows[keep], found=sample.found[keep])


def thinned(sample: Points) -> Points:
    """Every other row and column: enough to tell scalers apart, for a quarter of the work."""
    if min(len(sample.rows), len(sample.cols)) < 32:
        return sample
    return Points(sample.rows[::2], sample.cols[::2], sample.found[::2, ::2], sample.channels)


def evaluate(case: Case, view: View, pose: Pose, sample: Points, *, mixes: bool = True) -> list[Trial]:
    """The best fits of a reading to a pose on the grid, best first (several where they tie within a small margin)."""
    reference = case.on_grid(pose, sample.rows, sample.cols)
    inside = reference.inside
    if int(inside.sum()) < 48:
        inside = np.ones_like(inside)
    found, pixels = sample.found[inside], reference.pixels[inside]
    if found.shape[1] != pixels.shape[1]:
        return []
    if (pose != Pose() or view != expected_view(case.spec)) and _constant(found[:, list(sample.channels)]):
        return []  # filling of packed pixels, say: it agrees with any place
    fits = fitting.search(found, pixels, case.spec, view.dtype, sample.channels, mixes=mixes)
    return [Trial(view, pose, f) for f in fitting.best_of(fits, found, pixels, case.spec, sample.channels, 4)]


def _constant(found: Floats) -> bool:
    """Whether next to all elements of each channel are equal."""
    return bool(((found == np.median(found, axis=0)).mean(axis=0) > 0.98).all())


def agreeing_rows(case: Case, view: View, pose: Pose, sample: Points) -> NDArray[np.bool_] | None:
    """Leading rows of the sample that correlate with the pose where the later ones do not; None where no such break."""
    reference = case.on_grid(pose, sample.rows, sample.cols).pixels
    found = sample.found[:, :, list(sample.channels)].mean(axis=2)
    known = reference[:, :, list(sample.channels)].mean(axis=2)
    scores = np.array([_correlation(a, b) for a, b in zip(found, known, strict=True)])
    running = np.cumsum(scores - 0.8)
    stop = int(running.argmax()) + 1
    if running.max() <= 0 or stop < 3 or stop > len(scores) - 1 or float(scores[stop:].mean()) > 0.75:
        return None
    keep = np.zeros(len(scores), bool)
    keep[:stop] = True
    return keep


def _correlation(a: Floats, b: Floats) -> float:
    a, b = a - a.mean(), b - b.mean()
    norm = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return abs(float((a * b).sum())) / norm if norm > 1e-9 else 0.0


def displacement(case: Case, pose: Pose, sample: Points, reach: int) -> tuple[int, int, float]:
    """(dx, dy, correlation) of the best displacement within ± reach of the pose's own, the reference wrapped round."""
    still = pose.unmoved
    picture = case.whole(still)
    luma = picture.mean(axis=2, dtype=np.float32)
    height, width = luma.shape
    sample = inner(sample, pose.dx, pose.dy, (height, width), 2 * reach)
    found = sample.found[:, :, list(sample.channels)].mean(axis=2)
    found = found - found.mean()
    norm = float(np.sqrt((found * found).sum())) or 1.0
    best = (pose.dx, pose.dy, -1.0)
    done: set[tuple[int, int]] = set()
    for _ in range(3):
        middle = best
        for dy in range(middle[1] - reach, middle[1] + reach + 1):
            row = range(middle[0] - reach, middle[0] + reach + 1)
            steps = np.array([dx for dx in row if (dx, dy) not in done])
            if not len(steps):
                continue
            done.update((int(dx), dy) for dx in steps)
            lines = luma[(sample.rows - dy) % height]
            other = lines[:, (sample.cols - steps[:, None]) % width]  # rows x steps x columns
            count = other.shape[0] * other.shape[2]
            mean = other.sum(axis=(0, 2)) / count
            power = np.einsum("rsc,rsc->s", other, other) - count * mean**2
            dots = np.abs(np.einsum("rsc,rc->s", other, found))  # the mean of `found` is 0
            scores = np.where(power > 0, dots / (norm * np.sqrt(np.maximum(power, 1e-6))), 0.0)
            top = int(scores.argmax())
            if float(scores[top]) > best[2]:
                best = (int(steps[top]), dy, float(scores[top]))
        if max(abs(best[0] - middle[0]), abs(best[1] - middle[1])) < reach:
            break  # a peak at the border of what was looked at may be the flank of a higher one
    return best


def better_resizer(case: Case, trial: Trial, sample: Points) -> Trial:
    """The same with the resizer that fits best, where it is clearly better than the expected one."""
    if not case.scaled or trial.pose.source:
        return trial
    few = thinned(sample)
    best, least = trial, refitted(case, trial, few).cost
    for name in FAMILY:
        if name == trial.pose.resizer or least < 0.004:
            continue
        other = replace(trial, pose=replace(trial.pose, resizer=name))
        cost = refitted(case, other, few).cost
        if cost < least * 0.8 - 0.001:
            best, least = other, cost
    return best if best is trial else replace(best, fit=refitted(case, best, sample))


def refitted(case: Case, trial: Trial, sample: Points) -> Fit:
    """The fit of a trial measured again with the same maps."""
    reference = case.on_grid(trial.pose, sample.rows, sample.cols)
    inside = reference.inside if int(reference.inside.sum()) >= 48 else np.ones_like(reference.inside)
    pixels = fitting.blended(reference.pixels[inside], trial.fit.mix, case.spec)
    return fitting.measured(trial.fit, sample.found[inside], pixels, sample.channels)


def bars(case: Case, trial: Trial, array: Elements, known: tuple[int, ...]) -> Trial:
    """The fill of the letterbox bars as found in the buffer, as pixel values through the inverse of the value map."""
    geometry = case.geometry_of(trial.pose)
    if trial.pose.source or geometry.kind != "letterbox" or geometry.box is None or trial.pose.dx or trial.pose.dy:
        return trial
    if trial.fit.mix is not None:
        return trial
    mask = bar_mask(case, geometry.box, trial.pose)
    written = trial.view.rows_in(case.tail)  # the constant tail may be a fill that was never reached
    want = np.resize(np.asarray(geometry.fill), array.shape[2])
    # A channel whose bars were never written gives no fill away: the others' or the expected one stands for it.
    usual = case.spec.geometry.fill if case.spec.geometry.kind == "letterbox" else geometry.fill
    got = np.resize(np.asarray(usual), array.shape[2])
    if not mask[: max(written)].any():
        written = known  # the tail is all there is of the bars
    told: list[int] = []
    for c in sorted(range(array.shape[2]), key=lambda c: -written[c]):
        source = trial.fit.order[c]
        found = _fill(array[: written[c] if max(written) >= 2 else known[c], :, c], mask, trial.fit, c)
        if found is None:
            # The bars may be the tail itself: then they hold what those of the other channels do.
            found = _fill(array[: known[c], :, c], mask, trial.fit, c)
            if found not in told:
                if len(set(told)) != 1:
                    continue
                found = told[0]  # never written: gray bars are the likeliest
        told.append(found)
        # Several pixel values may share an element: the one that was meant, where it is among them.
        table = trial.fit.values.table[source if trial.fit.after else c]
        got[source] = want[source] if table[found] == table[want[source]] else found
    if np.array_equal(got, want):
        return trial
    fill = tuple(int(v) for v in (got[:1] if len(set(got.tolist())) == 1 else got))
    return replace(trial, pose=replace(trial.pose, geometry=replace(geometry, fill=fill)))


def _fill(plane: Elements, mask: NDArray[np.bool_], fit: Fit, c: int) -> int | None:
    """The pixel value of the bars in the rows given of channel c; None where these hold none of the bars."""
    values = plane[mask[: len(plane)]].astype(np.float32)
    if not values.size:
        return None
    table = fit.values.table[fit.order[c] if fit.after else c]
    return int(np.abs(table - float(np.median(values[: 1 << 16]))).argmin())


def bar_mask(case: Case, box: Box, pose: Pose) -> NDArray[np.bool_]:
    """Where the bars lie in the turned frame."""
    mask = np.ones(case.spec.size, bool)
    mask[box.y : box.y + box.h, box.x : box.x + box.w] = False
    return np.array(turned(mask, pose.turn), dtype=bool)


def header_view(buffer: Pixels, view: View, dx: int, dy: int) -> list[View]:
    """Readings that skip foreign bytes which displaced the picture by (dx, dy): every channel phase around it."""
    step = view.row_bytes // view.width
    whole = view.pitch * view.height
    middle = dy * view.pitch + dx * step
    if middle < -step:
        middle %= whole
    out = []
    for k in range(-step, step + 1, view.itemsize):
        offset = view.offset + middle + k
        if 0 < offset < min(whole, len(buffer)) // 2:
            out.append(replace(view, offset=offset))
    return out


def verify(case: Case, trial: Trial, *, refill: bool = True) -> Trial:
    """The trial with its measure over the whole buffer. refill: take the fill of letterbox bars from the buffer."""
    array, known = trial.view.read(case.buffer)
    if refill:
        trial = bars(case, trial, array, known)
    step = max(1, trial.view.row_bytes // trial.view.width)
    columns = min(trial.view.width, trial.view.pitch // step)
    picture = case.whole(trial.pose)
    best: Trial | None = None
    for mix in colour.variants(trial.fit.mix):
        fit = replace(trial.fit, mix=mix)
        verified = compare(array, with_mix(picture, fit, case.spec), fit, known, columns)
        if best is None or best.verified is None or verified.rms < best.verified.rms:
            best = replace(trial, fit=fit, verified=verified)
        if verified.share > 0.9995:
            break
    assert best is not None
    return best


def shape_of(case: Case, pose: Pose) -> tuple[int, int]:
    """(height, width) of the turned frame."""
    h, w = case.spec.size
    return (w, h) if pose.turn in EXCHANGING else (h, w)


def letterbox_moved(case: Case, pose: Pose, dx: int, dy: int) -> Pose | None:
    """The displacement as another place of a letterbox's box, where it stays inside the frame."""
    geometry = case.geometry_of(pose)
    if geometry.kind != "letterbox" or geometry.box is None or pose.turn != "none" or pose.source:
        return None
    box = Box(geometry.box.x + dx, geometry.box.y + dy, geometry.box.w, geometry.box.h)
    if box.x < 0 or box.y < 0 or box.x + box.w > case.spec.size[1] or box.y + box.h > case.spec.size[0]:
        return None
    return replace(pose.unmoved, geometry=Geometry("letterbox", box, geometry.crop, geometry.fill))


def turned_twins(case: Case, trial: Trial) -> list[Trial]:
    """The same explanation with the picture turned otherwise, where that gives the same elements (a symmetric picture)."""
    sample = points(case, trial.view, case.tail)
    if sample is None or trial.partial is not None or trial.pose.dx or trial.pose.dy:
        return []
    own = refitted(case, trial, sample)
    out = []
    for turn in TURNS:
        if turn in (trial.pose.turn, "none", "anti") or trial.pose.turn == "none":
            continue
        if (turn in EXCHANGING) != (trial.pose.turn in EXCHANGING) and case.spec.size[0] != case.spec.size[1]:
            continue
        other = replace(trial, pose=replace(trial.pose, turn=turn))
        fit = refitted(case, other, sample)
        if fit.share >= own.share - 0.003 and fit.cost <= own.cost + 0.01:
            out.append(other)
    return out
