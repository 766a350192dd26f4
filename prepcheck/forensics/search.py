"""The search: readings x poses by correlation, each of the best fitted on a grid, the best of those on every element."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from prepcheck.forensics import coarse, propose, yuv
from prepcheck.forensics.case import Case, tail_start
from prepcheck.forensics.fit import TIGHT
from prepcheck.forensics.model import Difference, Fault
from prepcheck.forensics.naming import faults, layout_faults
from prepcheck.forensics.partial import with_partial
from prepcheck.forensics.poses import Pose, faults_of
from prepcheck.forensics.trial import (
    Points,
    Trial,
    agreeing_rows,
    better_resizer,
    displacement,
    evaluate,
    header_view,
    inner,
    letterbox_moved,
    points,
    restricted,
    verify,
)
from prepcheck.forensics.views import View, expected_view

_CANDIDATES = 7  # of each tier
_VERIFIED = 8
_HOPELESS, _LOOKED_AT = 0.35, 2  # cost on the grid of what cannot be accepted, and how many of those are measured
_YUV = 0.95  # share of its bytes that a YUV frame must re-create for nothing else to be looked for
_LEAST = 0.15  # correlation of a reading with a pose below which it is not looked at
_WORSE = 0.03  # cost by which a trial may be worse than an exact one to be verified still
_PENALTY = 0.02  # correlation that one more fault must be worth


@dataclass(frozen=True, slots=True)
class Found:
    """A verified trial, its faults, and how much it explains of the buffer."""

    trial: Trial | None
    faults: tuple[Fault, ...]
    score: float
    difference: Difference

    @property
    def rms(self) -> float:
        """Capped rms in pixel steps."""
        return (
            self.trial.verified.rms if self.trial and self.trial.verified else 255 * 10 ** (-self.difference.psnr / 20)
        )

    @property
    def within(self) -> float:
        """Share of the elements that the explanation speaks of (a rest of unknown origin left out)."""
        return self.trial.verified.share if self.trial and self.trial.verified else self.score


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that was verified, best first, and the best correlation of any reading with any pose."""

    found: list[Found]
    correlation: float


def explain(case: Case) -> Outcome:
    """Every explanation found for the buffer, the likeliest first.

    Readings come in tiers, the expected one first; a later tier is looked at only where no single fault of the earlier
    ones leaves nothing but rounding.
    """
    base = expected_view(case.spec)
    done: list[Found] = []
    trials: list[Trial] = []
    correlation = 0.0
    matches: list[coarse.Match] = [coarse.Match(base, Pose(), 1.0, 0, 0)]  # the first guess, whatever its correlation
    seen: set[tuple[View, Pose, bool]] = set()
    for tier in propose.tiers(case.buffer, case.spec, case.base):
        fresh = _matches(case, tier)
        matches += fresh
        correlation = max([correlation, *(m.score for m in fresh)])
        for match in _luma(case, fresh):
            done += _yuv(case, match)
            if any(y.score > _YUV for y in done):
                return _outcome(case, done, trials, correlation)
        settled = 2.0
        for match in _kept(case, matches, seen):
            if match.score < settled - 0.01 and settled <= 1:
                continue  # only what correlates as well may be another name for the same bytes
            sample = points(case, match.view, case.tail)
            if sample is not None:
                trials += _tried(case, match, sample)
            if settled > 1 and _settled(case, trials):
                settled = min(1.0, match.score)
        if settled <= 1:
            break
    return _outcome(case, done, trials, correlation)


def _outcome(case: Case, done: list[Found], trials: list[Trial], correlation: float) -> Outcome:
    settled = any(y.score > _YUV for y in done)
    found = done if settled else [*done, *_verified(case, trials)]
    return Outcome(sorted(found, key=lambda f: (-f.score, f.rms)), min(1.0, correlation))


def _luma(case: Case, matches: list[coarse.Match]) -> list[coarse.Match]:
    """The two likeliest poses at rest of each reading as luma. The picture's gray is not quite its luma: 0.6 is enough."""
    of: dict[View, list[coarse.Match]] = {}
    for match in matches:
        if match.view.channels < case.spec.channels and match.score > 0.6 and not (match.dx or match.dy):
            of.setdefault(match.view, []).append(match)
    return [m for some in of.values() for m in sorted(some, key=lambda m: -m.score)[:2]]


def _yuv(case: Case, match: coarse.Match) -> list[Found]:
    """YUV frames whose luma plane this match is."""
    made = yuv.find(case, match.pose, packed=match.view.stored == 2)
    if made is None:
        return []
    chain = (*faults_of(match.pose, case.spec, case.source, case.names), made.fault)
    return [Found(None, chain, made.score, made.difference)]


def _settled(case: Case, trials: list[Trial]) -> bool:
    """Whether one fault at most leaves nothing but rounding on the grid: more candidates cannot be simpler.

    No fault at all on the grid means one that the grid leaves out: bars, or rows that no longer agree.
    """
    return any(t.fit.share > 0.999 and len(faults(case, t)) <= 1 for t in trials)


def _matches(case: Case, views: list[View]) -> list[coarse.Match]:
    out: list[coarse.Match] = []
    for view in views:
        array, known = view.read(case.buffer)
        if not any(known):
            continue
        gray, deep = coarse.blocks(array, case.factor, known)
        bank = case.bank.get((gray.shape[0], gray.shape[1]))
        if bank is None:
            continue
        found = bank.matches(view, gray, deep, case.factor)
        if view.itemsize == 1 and max((m.score for m in found), default=1.0) < 0.9:
            # Bytes xor 0x80: the other sign makes a picture of them again.
            other = array.view(np.int8 if array.dtype == np.uint8 else np.uint8)
            found += bank.matches(view, coarse.blocks(other, case.factor, known)[0], deep, case.factor)
        out += found
        cuts = {max(view.rows_in(case.tail)) // case.factor}
        if view == expected_view(case.spec):
            cuts.add(gray.shape[0] * 6 // 10)  # the rest may be of an earlier picture
        for cut in cuts:
            if 2 <= cut < min(deep, gray.shape[0]):
                out += bank.matches(view, gray, cut, case.factor)
    return out


def _kept(case: Case, matches: list[coarse.Match], seen: set[tuple[View, Pose, bool]]) -> list[coarse.Match]:
    """The likeliest matches not tried yet: by correlation less a little for every fault that they imply."""
    layouts = {v: len(layout_faults(v, case.spec, case.buffer, False)) for v in {m.view for m in matches}}
    poses = {p: len(faults_of(p, case.spec, case.source, case.names)) for p in {m.pose for m in matches}}
    order = sorted(matches, key=lambda m: _PENALTY * (layouts[m.view] + poses[m.pose] + bool(m.dx or m.dy)) - m.score)
    out: list[coarse.Match] = []
    for match in order[:_CANDIDATES]:
        if match.score < _LEAST:
            continue
        key = (match.view, match.pose, bool(match.dx or match.dy))
        if key not in seen:
            seen.add(key)
            out.append(match)
    return out


def _tried(case: Case, match: coarse.Match, sample: Points) -> list[Trial]:
    """Trials of one match: at rest, displaced, after foreign bytes, with rows that no longer agree left out."""
    if match.dx or match.dy:
        return _displaced(case, match, sample)
    trials = evaluate(case, match.view, match.pose, sample)
    if not trials or trials[0].fit.cost < TIGHT:
        return trials
    keep = agreeing_rows(case, match.view, match.pose, sample)
    if keep is not None:
        trials += evaluate(case, match.view, match.pose, restricted(sample, keep))
    best = min(trials, key=lambda t: t.fit.cost)
    if match.score > 0.6 or best.fit.cost < 0.5:
        trials += _displaced(case, match, sample)
    if best.fit.cost > 0.7:
        return trials
    sharper = better_resizer(case, best, sample)
    if sharper is not best:
        trials += [sharper, *evaluate(case, match.view, sharper.pose, sample)]
    return trials


def _displaced(case: Case, match: coarse.Match, sample: Points) -> list[Trial]:
    start = replace(match.pose, dx=match.dx, dy=match.dy, border="wrap")
    dx, dy, _ = displacement(case, start, sample, case.factor)
    if not dx and not dy and (match.dx or match.dy):
        return []
    out: list[Trial] = []
    if dx or dy:
        pose = replace(match.pose, dx=dx, dy=dy, border="wrap")
        size = (match.view.height, match.view.width)
        out += evaluate(case, match.view, pose, inner(sample, dx, dy, size))
        inside = letterbox_moved(case, match.pose, dx, dy)
        if inside is not None:
            out += evaluate(case, match.view, inside, sample)
    best: list[Trial] = []
    for view in header_view(case.buffer, match.view, dx, dy):
        moved = points(case, view, len(case.buffer))
        if moved is None:
            continue
        trials = evaluate(case, view, match.pose, moved, mixes=False)
        if trials and (not best or trials[0].fit.cost < best[0].fit.cost):
            best = trials
    return out + best


def _verified(case: Case, trials: list[Trial]) -> list[Found]:
    ranked = sorted(trials, key=lambda t: t.fit.cost + 0.01 * len(faults(case, t)))
    out: list[Found] = []
    seen: set[str] = set()
    least = float("inf")  # cost on the grid of the first that leaves only rounding
    hopeless = 0
    for trial in ranked:
        if trial.fit.cost > least + _WORSE:
            break
        key = repr((faults(case, trial), trial.pose.resizer))
        if key in seen:
            continue
        seen.add(key)
        hopeless += trial.fit.cost > _HOPELESS
        if hopeless > _LOOKED_AT:
            break
        refilled = _bordered(case, verify(case, trial))
        whole = with_partial(case, refilled)
        if refilled.pose.geometry != trial.pose.geometry and not _whole(refilled):
            whole += with_partial(case, _bordered(case, verify(case, trial, refill=False)))
        for done in whole:
            if done.verified is not None:
                if done.verified.exact and done.partial is None:
                    least = min(least, trial.fit.cost)
                out.append(Found(done, faults(case, done), _score(case, done), done.verified.difference))
        if len(seen) >= _VERIFIED:
            break
    return sorted(out, key=lambda f: (-f.score, f.rms))


def _whole(trial: Trial) -> bool:
    return trial.verified is not None and trial.verified.exact


def _bordered(case: Case, trial: Trial) -> Trial:
    """For a displaced picture: what the uncovered part holds (wrapped round, repeated, or one value)."""
    if not (trial.pose.dx or trial.pose.dy) or trial.verified is None or trial.verified.share < 0.3:
        return trial
    array, _ = trial.view.read(case.buffer)
    fill = []
    dx, dy = trial.pose.dx, trial.pose.dy
    for c in range(array.shape[2]):
        edge = array[:dy] if dy > 0 else array[dy:] if dy < 0 else array[:, :dx] if dx > 0 else array[:, dx:]
        level = float(np.median(edge[..., c].astype(np.float32)))
        row = trial.fit.order[c] if trial.fit.after else c
        fill.append((trial.fit.order[c], int(np.abs(trial.fit.values.table[row] - level).argmin())))
    value = tuple(v for _, v in sorted(fill))
    borders: list[tuple[int, ...] | str] = ["replicate", value]
    options = [trial, *(verify(case, replace(trial, pose=replace(trial.pose, border=b))) for b in borders)]
    return max(options, key=lambda t: t.verified.share if t.verified else 0.0)


def _score(case: Case, trial: Trial) -> float:
    """Share of the buffer's elements that the trial re-creates (a constant or earlier rest counts as explained)."""
    if trial.verified is None:
        return 0.0
    share = trial.verified.share * _covered(case, trial)
    if trial.partial is None or trial.partial.rest != "older":
        return share
    height = trial.view.height * (trial.view.channels if trial.partial.through else 1)
    return share * trial.partial.rows / height


def _covered(case: Case, trial: Trial) -> float:
    """Share of the buffer's bytes that the reading speaks of: foreign bytes in front and a tail that is not one value
    are left unexplained (in a batch the tail belongs to the later slots)."""
    view = trial.view
    known = view.rows_in(len(case.buffer))
    span = view.offset + view.pitch * (sum(known) if view.planar else max(known))
    length = len(case.buffer)
    left = max(0, length - span - view.pitch)
    if (
        case.expected.spec.batch > 1
        or left < 0.01 * length
        or tail_start(case.buffer, view.itemsize) <= span + view.pitch
    ):
        left = 0
    return 1 - (view.offset + left) / max(1, length)
