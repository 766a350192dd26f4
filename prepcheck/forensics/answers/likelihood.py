"""How well each hypothesis explains the answers seen: a stated model of noise, likelihoods, ratios, classes, a verdict.

A number seen is the model's own number plus an error, rounded as it was printed. Probabilities are compared as log-odds
(0.9994 and 0.9999 are 1.8 apart there), other outputs as they are. The error is normal with a standard deviation of

    sqrt(floor² + (level · |value|)² + step²/12 + (difference of two opinions)²/2),

(opinions: two legal resizers, two fillings of bytes that nobody knows; level: of `Noise`, several where it is not known)
and with probability SPOILT anything at all, so that one number never decides alone. The likelihood of a number is the mass
of its printed interval. Numbers of one answer depend on each other: together they count as at most `WEIGHT` of them.

Beside the hypotheses stands "something else": whatever spreads the answers as all hypotheses together do, blurred. Few
numbers fit one of ninety hypotheses by chance; a name is given only where that is improbable (`CHANCE`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from prepcheck.forensics.answers.hypotheses import Hypothesis
from prepcheck.forensics.answers.model import Noise, Ranked, Scores, Seen, Verdict, Weighed
from prepcheck.forensics.answers.priors import AS_PLANNED, SOMETHING_ELSE, prior

EXCLUDED = 0.01
"""Likelihood over the best one's below which a hypothesis is excluded."""
DISTANCE = 4.0
"""Standard deviations beyond which an answer is not explained at all."""
CHANCE = 0.05
"""Probability of something else above which nothing is named."""
UNEXPLAINED = 0.999
"""Probability of something else above which nothing is explained."""
SPOILT = 1e-3
WEIGHT = 4
_EDGE = 16.0  # log-odds at which probabilities are cut: 1e-7
_FLOOR = {"probability": 0.02, "value": 1e-4}
"""Least error: log-odds; part of an output's spread. Runtimes in float32 differ by 1e-4 of a value (measured: MNN 3.6,
onnxruntime 1.32), half floats by some 1e-2 in log-odds."""

Variants = Sequence[Scores]
Runs = Sequence["Variants | None"]


@dataclass(frozen=True, slots=True)
class _Image:
    """Likelihood of every hypothesis for one image. None where the hypothesis says nothing about it."""

    log: NDArray[np.float64]
    distance: NDArray[np.float64]
    told: NDArray[np.bool_]
    centre: list[Scores | None]
    sigma: NDArray[np.float64]
    width: Scores
    other: float


def log_odds(values: Scores) -> Scores:
    """ln(p / (1 − p)), cut at ±16; NaN stays."""
    with np.errstate(divide="ignore", invalid="ignore"):
        out: Scores = np.clip(np.log(values) - np.log1p(-values), -_EDGE, _EDGE)
    return np.where(np.isnan(values), np.nan, np.where(values >= 1, _EDGE, np.where(values <= 0, -_EDGE, out)))


def weigh(hypotheses: Sequence[Hypothesis], seen: Sequence[Seen], runs: Sequence[Runs], noise: Noise) -> Weighed:
    """Rank the hypotheses by the answers.

    runs: for each image, for each hypothesis, what the model would answer (`Reading.of`): by the plan's resizer, and by a
    second legal one where there is one; None where the hypothesis cannot be made for that image.
    """
    # Answers of garbage reach the ends of floats: infinite distances are meant.
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return _weighed(hypotheses, seen, runs, noise)


def _weighed(hypotheses: Sequence[Hypothesis], seen: Sequence[Seen], runs: Sequence[Runs], noise: Noise) -> Weighed:
    by_level = []
    for level in noise.levels:
        images = [_image(s, r, level, noise.step) for s, r in zip(seen, runs, strict=True)]
        by_level.append((images, *_together(images, len(hypotheses))))
    log = _mean_logs([found[1] for found in by_level])
    images, _, distance = by_level[-1]  # the widest: what it does not explain, nothing does
    counts: dict[str, int] = {}
    for h in hypotheses:
        counts[h.name] = counts.get(h.name, 0) + 1
    weight = np.array([prior(h.name) / counts[h.name] for h in hypotheses])
    other = float(_mean_logs([np.array([sum(i.other for i in found[0])]) for found in by_level])[0])
    top = max(float(log.max()), other)
    posterior = weight * np.exp(log - top)
    chance = SOMETHING_ELSE * math.exp(other - top)
    total = max(float(posterior.sum()), 1e-300)
    chance = chance / (chance + total)
    posterior = posterior / total * (1 - chance)
    fits = distance <= DISTANCE
    best = float(log[fits].max()) if fits.any() else float(log.max())
    ratio = np.exp(np.minimum(log - best, 0.0))
    order = sorted(
        range(len(hypotheses)), key=lambda i: (not fits[i], -round(float(log[i]) + math.log(weight[i]), 9), i)
    )
    groups = _groups(order, by_level[0][0])
    ranked = tuple(
        Ranked(
            hypotheses[i], tuple(_shown(s, r[i]) for s, r in zip(seen, runs, strict=True)), float(ratio[i]),
            float(posterior[i]), float(min(distance[i], 99.0)), groups[i], bool(fits[i]),
            bool(ratio[i] < EXCLUDED or not fits[i]),
        )
        for i in order
    )  # fmt: skip
    verdict, name = _verdict(ranked, chance)
    noise_of = tuple(float(np.nanmean(i.sigma[order[0]])) if i.told[order[0]] else 0.0 for i in images)
    return Weighed(verdict, ranked, name, noise_of, chance)


def _together(images: Sequence[_Image], count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(log-likelihood, largest distance) of every hypothesis over all images."""
    log, distance = np.zeros(count), np.zeros(count)
    for image in images:
        # What a hypothesis does not say is no evidence: it gets what the others get in the mean.
        neutral = float(_mean_logs([np.array([v]) for v in image.log[image.told]])[0]) if image.told.any() else 0.0
        log += np.where(image.told, image.log, neutral)
        distance = np.maximum(distance, np.where(image.told, image.distance, 0.0))
    return log, distance


def _mean_logs(logs: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """ln of the mean of what these are logarithms of, element by element."""
    stacked = np.stack(logs)
    top = stacked.max(axis=0)
    out: NDArray[np.float64] = top + np.log(np.exp(stacked - top).mean(axis=0))
    return out


def _verdict(ranked: Sequence[Ranked], chance: float) -> tuple[Verdict, str | None]:
    if not any(r.fits for r in ranked) or chance > UNEXPLAINED:
        return "not_explained", None
    names = {r.hypothesis.name for r in ranked if not r.excluded or r.group == ranked[0].group}
    if chance > CHANCE:
        return "left", None
    if names == {AS_PLANNED}:
        return "as_planned", None
    if len(names) == 1:
        return "named", next(iter(names))
    return "left", None


def _image(seen: Seen, runs: Runs, level: float, step: float) -> _Image:
    probability = seen.kind == "probability"
    told = np.array([r is not None for r in runs])
    reference = next((r[0] for r in runs if r is not None), np.zeros(len(seen.values)))
    spread = _rms(reference)
    if probability:
        low, high = log_odds(seen.values - seen.halves), log_odds(seen.values + seen.halves)
        high = np.maximum(high, low + 1e-4)
    else:
        half = np.maximum(seen.halves, 1e-7 * np.maximum(np.abs(seen.values), spread) + 1e-12)
        low, high = seen.values - half, seen.values + half
    finite = [v for r in runs if r is not None for v in r[0][np.isfinite(r[0])]]
    wide = 2 * _EDGE if probability else max([1e-9, *(abs(v) for v in (*finite, *seen.values.tolist()))]) * 2
    logs, distances, sigmas = [], [], []
    centre: list[Scores | None] = []
    weight = min(seen.free, WEIGHT) / len(seen.values)
    for variants in runs:
        if variants is None:
            logs.append(0.0)
            distances.append(0.0)
            centre.append(None)
            sigmas.append(np.full(len(seen.values), np.nan))
            continue
        at = [log_odds(v) if probability else v for v in variants]
        size = 1.0 if probability else max(_rms(at[0]), 1e-9)
        least = 2.0 if probability else 0.3 * size
        square = (_FLOOR[seen.kind] * size) ** 2 + np.square(level * np.maximum(np.abs(at[0]), least)) + step**2 / 12
        if len(at) > 1:
            square = square + np.square(at[0] - at[1]) / 2  # the variance that two samples show
        sigma = np.sqrt(np.where(np.isfinite(square), square, 1.0))
        mass = np.mean([_mass(low, high, a, sigma, cut=probability) for a in at], axis=0)
        logs.append(weight * float(np.log((1 - SPOILT) * mass + SPOILT * (high - low) / wide).sum()))
        away = np.min([_away(low, high, a) for a in at], axis=0) / sigma
        distances.append(float(np.sqrt(np.mean(np.square(np.minimum(away, 99.0))))))
        centre.append(at[0])
        sigmas.append(sigma)
    other = _other(low, high, [c for c in centre if c is not None], probability)
    tail = SPOILT * (high - low) / wide
    loose = weight * float(np.log((1 - SPOILT) * other + tail).sum())
    return _Image(np.array(logs), np.array(distances), told, centre, np.array(sigmas), high - low, loose)


def _rms(values: Scores) -> float:
    """Root mean square of the numbers that are finite; 0 where none is."""
    finite = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(np.square(finite)))) if finite.size else 0.0


def _other(low: Scores, high: Scores, centres: Sequence[Scores], probability: bool) -> Scores:
    """The mass of each interval under the answers of all hypotheses, blurred: by 1 in log-odds, else by their quartiles."""
    stacked = np.stack(centres)
    stacked = stacked[np.isfinite(stacked).all(axis=1)]
    if not len(stacked):
        return np.zeros(len(low))
    first, third = np.percentile(stacked, [25, 75], axis=0)
    middle = np.median(np.abs(stacked), axis=0)
    sigma = np.ones(len(low)) if probability else np.maximum((third - first) / 2, 0.05 * middle + 1e-9)
    out: Scores = np.mean([_mass(low, high, at, sigma, cut=probability) for at in stacked], axis=0)
    return out


def _away(low: Scores, high: Scores, at: Scores) -> Scores:
    """How far outside its printed interval a number is; infinite where the model gives none."""
    with np.errstate(invalid="ignore"):
        out = np.maximum(np.maximum(low - at, at - high), 0.0)
    return np.where(np.isfinite(at), out, np.inf)


def _mass(low: Scores, high: Scores, at: Scores, sigma: Scores, *, cut: bool) -> Scores:
    """The share of a normal distribution that lies in the interval. cut: log-odds, whose ends at the cut are open."""
    out = np.zeros(len(low))
    for i in range(len(low)):
        if not np.isfinite(at[i]):
            continue
        a, b = (low[i] - at[i]) / sigma[i], (high[i] - at[i]) / sigma[i]
        if cut and low[i] <= -_EDGE:
            a = -math.inf
        if cut and high[i] >= _EDGE:
            b = math.inf
        if a > 0:
            a, b = -b, -a  # the tail that does not cancel
        out[i] = 0.5 * (math.erfc(-b / math.sqrt(2)) - math.erfc(-a / math.sqrt(2)))
    return np.maximum(out, 0.0)


def _groups(order: Sequence[int], images: Sequence[_Image]) -> dict[int, int]:
    """Hypotheses whose answers cannot be told apart: as printed, or within the noise. The best ranked one leads."""
    leaders: list[int] = []
    found: dict[int, int] = {}
    for i in order:
        for number, leader in enumerate(leaders):
            if all(_alike(image, i, leader) for image in images):
                found[i] = number
                break
        else:
            found[i] = len(leaders)
            leaders.append(i)
    return found


def _alike(image: _Image, i: int, k: int) -> bool:
    a, b = image.centre[i], image.centre[k]
    if a is None or b is None:
        return (a is None) == (b is None)
    with np.errstate(invalid="ignore"):
        away = np.abs(a - b)
        close = (away <= image.width) | (away <= np.minimum(image.sigma[i], image.sigma[k]))
    return bool((close | (np.isnan(a) & np.isnan(b))).all())


def _shown(seen: Seen, variants: Variants | None) -> tuple[float, ...]:
    """The expected numbers, rounded as the seen ones were printed (at most six digits more)."""
    if variants is None:
        return ()
    out = []
    for value, half in zip(variants[0], seen.halves, strict=True):
        digits = max(0, min(9, round(-math.log10(2 * half)))) if half > 0 else 9
        out.append(round(float(value), digits) if math.isfinite(value) else float(value))
    return tuple(out)
