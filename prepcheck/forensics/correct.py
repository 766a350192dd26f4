"""Whether a buffer is right: equal, or as another correct implementation would have it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from prepcheck.forensics import fit as fitting
from prepcheck.forensics import noise
from prepcheck.forensics.case import Case
from prepcheck.forensics.filters import FAMILY, legal_for
from prepcheck.forensics.fit import Fit
from prepcheck.forensics.model import BufferSpec, Difference, Expected, Fault, Pixels
from prepcheck.forensics.poses import Pose, letterboxes, same_place
from prepcheck.forensics.trial import Points, Trial, displacement, points, refitted, thinned, verify
from prepcheck.forensics.values import expected_map
from prepcheck.forensics.verify import Verified
from prepcheck.forensics.views import View, expected_view

_EXACT, _EXACT_RMS = 0.9995, 1.6
_FAR = 0.85  # cost on the grid beyond which no implementation of the same thing can be meant


@dataclass(frozen=True, slots=True)
class Judged:
    """The closest correct hand-over. rms: in pixel steps, against the closest implementation; difference: against the
    expected elements themselves. final: nothing more need be looked for. clean: what is left is noise. rough:
    rms of the block means of what is left (64: not measured). even: no band of rows is another picture."""

    spec: BufferSpec
    score: float
    rms: float
    difference: Difference
    resizer: str | None = None
    fault: Fault | None = None
    final: bool = False
    clean: bool = False
    rough: float = 64.0
    even: bool = True


def judge_correct(expected: Expected, specs: list[BufferSpec], buffer: Pixels) -> Judged | None:
    """The first hand-over that fits exactly, else the closest; None where no hand-over has this length.

    A dump of a whole memory that is larger than its content is right where the content at its beginning fits.
    """
    best: Judged | None = None
    for spec in specs:
        if len(buffer) != spec.nbytes:
            if len(buffer) in expected.capacities and len(buffer) > spec.nbytes:
                head = _slots(expected, spec, buffer[: spec.nbytes])
                if head.final:
                    return head
            continue
        if spec is expected.spec and _equal(expected, buffer):
            return Judged(spec, 1.0, 0.0, Difference(0.0, 0.0, float("inf")), final=True, clean=True)
        judged = _slots(expected, spec, buffer)
        if judged.final:
            return judged
        if best is None or judged.rms < best.rms:
            best = judged
    return best


def _equal(expected: Expected, buffer: Pixels) -> bool:
    """Whether the buffer holds the expected elements bit by bit."""
    given = expected.buffer
    if given is None or given.nbytes != len(buffer):
        return False
    return bool(np.array_equal(np.ascontiguousarray(given).reshape(-1).view(np.uint8), buffer))


def _slots(expected: Expected, spec: BufferSpec, buffer: Pixels) -> Judged:
    """Every slot of a batch; the worst one speaks for all."""
    if spec.batch == 1:
        return _judge(Case(expected, spec, buffer))
    single = replace(spec, shape=(1, *spec.shape[1:]))
    worst: Judged | None = None
    for n in range(spec.batch):
        part = buffer[n * spec.slot_bytes : (n + 1) * spec.slot_bytes]
        pixels = expected.pixels[n] if expected.pixels.ndim == 4 else expected.pixels
        judged = _judge(Case(replace(expected, pixels=pixels, buffer=None), single, part))
        if not judged.final:
            return replace(judged, spec=spec)
        if worst is None or judged.rms > worst.rms:
            worst = judged
    assert worst is not None
    return replace(worst, spec=spec)


def _judge(case: Case) -> Judged:
    view, spec = expected_view(case.spec), case.spec
    order = tuple(range(spec.channels))
    trial = Trial(view, Pose(), Fit(expected_map(spec), order))
    if identical(case, view):
        return Judged(spec, 1.0, 0.0, Difference(0.0, 0.0, float("inf")), final=True, clean=True)
    trial = verify(case, trial, refill=False)
    verified = trial.verified
    assert verified is not None
    if exact(verified):
        return _result(spec, trial, final=True)
    sample = points(case, view, len(case.buffer))
    if sample is None:
        return _result(spec, trial)
    trial = replace(trial, fit=refitted(case, trial, sample))
    if trial.fit.cost > _FAR:
        return _result(spec, trial)
    rest, first = noise.residual(case, trial), trial
    if spec.filter is None and rest.plain and noise.even(case, trial) and _best_of_all(case, trial, sample):
        return _result(spec, trial, final=True)  # an encoder's noise: no other scaler need be looked for
    for other in _implementations(case, trial, sample, 0.7 if rest.clean else 0.95):
        other = verify(case, other, refill=False)
        if other.verified is None:
            continue
        if exact(other.verified) or (other.verified.share > 0.99 and other.verified.rms < 2):
            return _result(spec, other, first, final=True)
        if trial.verified is None or other.verified.rms < trial.verified.rms:
            trial = other
    if trial is not first:
        rest = noise.residual(case, trial)
    even = noise.even(case, trial)
    clean = rest.clean and even
    final = clean and _best_of_all(case, trial, sample)
    return replace(_result(spec, trial, first, final=final, clean=clean), rough=rest.rough, even=even)


def identical(case: Case, view: View) -> bool:
    """Whether every element is the expected one, bit by bit (padding of rows and of packed channels left out)."""
    found, known = view.read(case.buffer)
    if min(known) < view.height:
        return False
    table = expected_map(case.spec).table.astype(found.dtype)
    for top in range(0, view.height, 128):
        for c in range(found.shape[2]):
            if not np.array_equal(table[c][case.base[top : top + 128, :, c]], found[top : top + 128, :, c]):
                return False
    return True


def exact(verified: Verified) -> bool:
    """Whether rounding alone is left."""
    return verified.share >= _EXACT and verified.rms <= _EXACT_RMS


def _implementations(case: Case, trial: Trial, sample: Points, gain: float) -> list[Trial]:
    """The trial with other resizers and with other roundings of the letterbox, the closest two on the grid first.

    gain: share of the trial's own cost above which another is not worth measuring.
    """
    if not case.scaled and case.spec.geometry.kind != "letterbox":
        return []
    scored: list[tuple[float, int, Trial]] = []
    sample = thinned(sample)
    trial = replace(trial, fit=refitted(case, trial, sample))
    geometry, own = case.spec.geometry, case.spec.geometry.box
    boxes = [own]
    if geometry.kind == "letterbox" and own is not None:
        source = (case.source_box.h, case.source_box.w)
        boxes += [b for b in letterboxes(source, case.spec.size) if b != own and same_place(b, own)]
    for box in boxes:
        for name in FAMILY:
            shape = None if box == own else replace(geometry, box=box)
            if box != own and name not in (
                "opencv-bilinear",
                "opencv-area",
                "zoo-bilinear",
                "pillow-bilinear",
                case.resizer,
            ):
                continue
            other = replace(trial, pose=Pose(geometry=shape, resizer=name))
            fit = refitted(case, other, sample)
            scored.append((fit.cost, len(scored), replace(other, fit=fit)))
            if fit.share > 0.9995:
                return [replace(other, fit=fit)]
    scored.sort(key=lambda s: s[:2])
    return [t for cost, _, t in scored[:2] if cost < gain * trial.fit.cost]


def _best_of_all(case: Case, trial: Trial, sample: Points) -> bool:
    """Whether no fault that acts on values, colours or place explains the grid better than no fault does."""
    verified = trial.verified
    if verified is None:
        return False
    reference = case.on_grid(trial.pose, sample.rows, sample.cols)
    inside = reference.inside
    found, pixels = sample.found[inside], reference.pixels[inside]
    fits = fitting.search(found, pixels, case.spec, trial.view.dtype, sample.channels, most=1)
    if any(f.complexity and f.cost < 0.7 * trial.fit.cost for f in fits):
        return False
    dx, dy, _ = displacement(case, trial.pose, sample, 2)
    if dx or dy:
        return False
    rows = verified.rows.mean(axis=0)
    thirds = [float(part.mean()) for part in np.array_split(rows, 8)]
    return min(thirds) > 0.5 * float(np.median(thirds)) and _bars_equal(case, trial)


def _bars_equal(case: Case, trial: Trial) -> bool:
    """Whether the bars hold the expected fill: bars are never scaled, so they must be exact."""
    geometry = case.geometry_of(trial.pose)
    if geometry.kind != "letterbox" or geometry.box is None:
        return True
    from prepcheck.forensics.trial import bars

    array, known = trial.view.read(case.buffer)
    return bars(case, trial, array, known).pose == trial.pose


def _result(
    spec: BufferSpec, trial: Trial, first: Trial | None = None, *, final: bool = False, clean: bool = False
) -> Judged:
    """first: the trial of the expected pixels themselves, where another implementation fits better."""
    verified, own = trial.verified, (first or trial).verified
    assert verified is not None
    assert own is not None
    resizer = trial.pose.resizer
    fault = None
    if resizer is not None and not legal_for(spec.filter, resizer):
        fault = Fault("wrong_interpolation", {"filter": FAMILY[resizer], "implementation": resizer})
    return Judged(
        spec, round(verified.share, 5), verified.rms, own.difference, resizer, fault, final, clean or final
    )  # fmt: skip
