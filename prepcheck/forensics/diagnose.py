"""From the submitted bytes to the fault: the whole decision."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from prepcheck.forensics import noise
from prepcheck.forensics.batches import with_batch
from prepcheck.forensics.blind import cannot_show, is_constant
from prepcheck.forensics.case import Case
from prepcheck.forensics.correct import Judged, judge_correct
from prepcheck.forensics.effect import effect
from prepcheck.forensics.model import BufferSpec, Diagnosis, Difference, Expected, Fault, Pixels, Verdict
from prepcheck.forensics.naming import faults
from prepcheck.forensics.partial import cut
from prepcheck.forensics.search import Found, Outcome, explain
from prepcheck.forensics.signatures import encoded
from prepcheck.forensics.special import constant, related, same_histogram
from prepcheck.forensics.trial import turned_twins

_WHOLE = 0.97  # share of the elements that an explanation must re-create where nothing else disturbs the picture
_FITNESS = 0.9  # of the variance that an explanation with noise must leave explained
_SHARE_TIE, _RMS_TIE = 0.003, 0.15


def diagnose(expected: Expected, submitted: bytes | NDArray[np.generic]) -> Diagnosis:
    """Which faults turn the expected buffer into the submitted one.

    submitted: raw bytes as they lie in memory, or an array (its bytes in C order; a type other than the expected
    one is tried as that type's legal hand-over first). Never raises for any content; a Diagnosis of verdict
    `not_explained` is the answer to bytes that fit nothing.
    """
    # Bytes that are no floats give infinities and NaN: they are counted as foreign, not warned about.
    with np.errstate(over="ignore", invalid="ignore"):
        return _diagnosed(expected, submitted)


def _diagnosed(expected: Expected, submitted: bytes | NDArray[np.generic]) -> Diagnosis:
    buffer, dtype = _bytes(submitted)
    specs = _order(expected, dtype)
    spec = specs[0]
    if not buffer.size:
        return Diagnosis("not_explained", score=0.0, notes=("the buffer is empty",))
    judged = judge_correct(expected, specs, buffer)
    if judged is not None and judged.final:
        return _correct(expected, judged, buffer)
    if (name := encoded(buffer)) is not None:
        return _fault(expected, spec, buffer, (Fault("encoded_bytes", {"format": name}),), 1.0, None)
    flat = constant(expected, spec, buffer)
    if flat is not None:
        return _fault(expected, spec, buffer, flat[0], 1.0, None, flat[1])
    for each in specs:
        if (filled := cut(expected, each, buffer)) is not None:
            return _fault(expected, each, buffer, (filled,), 1.0, None)
    single = replace(spec, shape=_first_slot(spec)) if spec.batch > 1 else spec
    case = Case(expected, single, buffer)
    outcome = explain(case)
    return _chosen(expected, spec, case, outcome, judged, buffer)


def _bytes(submitted: bytes | NDArray[np.generic]) -> tuple[Pixels, str | None]:
    if isinstance(submitted, np.ndarray):
        array = np.ascontiguousarray(submitted)
        native = array.astype(array.dtype.newbyteorder("<"), copy=False)
        return native.reshape(-1).view(np.uint8), str(submitted.dtype.newbyteorder("="))
    return np.frombuffer(bytes(submitted), np.uint8), None


def _order(expected: Expected, dtype: str | None) -> list[BufferSpec]:
    specs = [expected.spec, *expected.handovers]
    if dtype is None or dtype == expected.spec.dtype:
        return specs
    return sorted(specs, key=lambda s: s.dtype != dtype)


def _first_slot(spec: BufferSpec) -> tuple[int, ...]:
    return (1, *spec.shape[1:])


def _correct(expected: Expected, judged: Judged, buffer: Pixels) -> Diagnosis:
    base = expected.pixels if expected.pixels.ndim == 3 else expected.pixels[0]
    hidden = cannot_show(base, judged.spec)
    verdict: Verdict = "fault" if judged.fault is not None else "cannot_tell" if is_constant(base) else "ok"
    return Diagnosis(
        verdict, () if judged.fault is None else (judged.fault,), judged.score, judged.difference, cannot_show=hidden,
        handover=judged.spec.label, implementation=judged.resizer,
        effect=effect(expected, judged.spec, buffer) if judged.fault is not None else None,
    )  # fmt: skip


def _fault(
    expected: Expected, spec: BufferSpec, buffer: Pixels, faults: tuple[Fault, ...], score: float,
    difference: Difference | None, alternatives: tuple[tuple[str, ...], ...] = (), correlation: float | None = None,
    implementation: str | None = None,
) -> Diagnosis:  # fmt: skip
    return Diagnosis(
        "fault", faults, round(score, 5), difference, alternatives, handover=spec.label, correlation=correlation,
        implementation=implementation, effect=effect(expected, spec, buffer),
    )  # fmt: skip


def _chosen(
    expected: Expected, spec: BufferSpec, case: Case, outcome: Outcome, judged: Judged | None, buffer: Pixels
) -> Diagnosis:
    found = [with_batch(expected, spec, f, buffer) for f in outcome.found]
    accepted = [f for f in found if f.faults and _accepted(case, f, judged)]
    blank = next((f for f in found if not f.faults), None)
    if judged is not None and (not accepted or min(f.rms for f in accepted) > 0.5 * judged.rms):
        if judged.clean or (judged.even and judged.score >= _WHOLE and judged.rms <= noise.SMALL):
            return _correct(expected, judged, buffer)
    elif not accepted and blank is not None and _accepted(case, blank, None):
        return Diagnosis("ok", score=blank.score, difference=_difference(blank), handover=spec.label)
    if accepted:
        best = _simplest(accepted)
        names = tuple(f.name for f in best.faults)
        ties = [tuple(f.name for f in other.faults) for other in accepted if _ties(other, best)]
        if best.trial is not None:
            ties += [_replaced(names, best, also) for also in best.trial.fit.values.also]
            ties += [tuple(f.name for f in faults(case, twin)) for twin in turned_twins(case, best.trial)]
        return _fault(expected, spec, buffer, best.faults, best.score, _difference(best),
                      tuple(dict.fromkeys(t for t in ties if t != names)), outcome.correlation,
                      best.trial.pose.resizer if best.trial else None)  # fmt: skip
    return _unexplained(expected, spec, case, outcome, buffer)


def _difference(found: Found) -> Difference | None:
    return found.difference


def _accepted(case: Case, found: Found, judged: Judged | None) -> bool:
    """Whether an explanation leaves nothing, or nothing but what another correct implementation would leave."""
    if len(found.faults) > 3:
        return False
    if found.trial is None:
        return found.score > 0.9
    verified, mix = found.trial.verified, found.trial.fit.mix
    if judged is not None and judged.rms < 2 * found.rms:
        # A fault must explain more than half of what no fault at all leaves; of colours alone, where chroma is lost too.
        if mix is None or mix.encode is None or len(found.faults) > 1:
            return False
        rest = noise.residual(case, found.trial)
        return rest.clean and 1.6 * rest.rough < judged.rough < 64
    if verified is not None and not verified.varied and len(found.faults) > len(found.trial.fit.values.faults):
        return False  # elements that are all equal are evidence of values at most
    if found.within >= _WHOLE:
        return True
    if verified is None or verified.fitness < _FITNESS or found.rms > noise.RMS_LIMIT:
        return False
    if mix is not None and mix.encode is not None:
        # How chroma is halved and doubled again is nobody's rule: edges of strong colours differ.
        if found.within >= 0.85 and verified.fitness >= 0.97:
            return True
    return noise.residual(case, found.trial).clean


def _simplest(accepted: list[Found]) -> Found:
    """The fewest faults among those that explain as much as the best does."""
    most = max(f.score for f in accepted)
    near = [f for f in accepted if f.score >= most - _SHARE_TIE]
    if most < _WHOLE:
        least = min(f.rms for f in accepted)
        near = [f for f in accepted if f.rms <= 1.25 * least + _RMS_TIE]
    else:
        least = min(f.rms for f in near)
        near = [f for f in near if f.rms <= 1.5 * least + 0.5]
    return min(near, key=lambda f: (len(f.faults), -round(f.score, 4), f.rms))


def _ties(other: Found, best: Found) -> bool:
    return (
        len(other.faults) == len(best.faults)
        and other.score >= best.score - _SHARE_TIE
        and other.rms <= 1.1 * best.rms + 0.05
    )


def _replaced(names: tuple[str, ...], best: Found, also: tuple[str, ...]) -> tuple[str, ...]:
    own = tuple(f.name for f in best.trial.fit.values.faults) if best.trial else ()
    rest = list(names)
    at = rest.index(own[0]) if own and own[0] in rest else len(rest)
    kept = [n for n in rest if n not in own]
    return (*kept[:at], *also, *kept[at:])


def _unexplained(expected: Expected, spec: BufferSpec, case: Case, outcome: Outcome, buffer: Pixels) -> Diagnosis:
    correlation = round(outcome.correlation, 4)
    close = max(outcome.found, key=lambda f: f.score, default=None)
    difference = _difference(close) if close is not None else None
    if not related(case, outcome) and not same_histogram(case):
        fault = Fault("different_image", {"correlation": correlation})
        return _fault(expected, spec, buffer, (fault,), 0.0, difference, (), correlation)
    return Diagnosis("not_explained", (), close.score if close else 0.0, difference, handover=spec.label,
                     correlation=correlation, effect=effect(expected, spec, buffer))  # fmt: skip
