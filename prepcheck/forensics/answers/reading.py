"""What the numbers of an answer are: which output, which places of it, probabilities or values, codes, sorted or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from prepcheck.core.answer_text import Answer
from prepcheck.forensics.answers.model import Scores, Seen

MOST = 64
"""Numbers of one answer that are compared; of more, those that the hypotheses differ in most."""
_TOP = 20  # numbers that a program prints of a long output
_SUM = 0.02  # what rounding and int8 codes make of a sum of 1


@dataclass(frozen=True, slots=True)
class Output:
    """One output of the model that ran. size: elements of all slots. scale, zero_point: of its codes, None = floats."""

    name: str
    size: int
    scale: float | None = None
    zero_point: int = 0
    dtype: str = "float32"


@dataclass(frozen=True, slots=True)
class Reading:
    """How one answer is held against the model's outputs. names: the outputs, end to end; softmax: put on them first.

    notes: how the answer was taken, where there was a choice.
    """

    names: tuple[str, ...]
    count: int
    softmax: bool
    seen: Seen
    notes: tuple[str, ...] = ()

    def of(self, outputs: Mapping[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]) -> Scores:
        """The values of a run to compare with `seen.values`."""
        flat = _flat(self.names, outputs)[: self.count]
        if self.softmax:
            flat = softmax(flat)
        if self.seen.ordered:
            return np.sort(np.nan_to_num(flat, nan=-np.inf))[::-1][: len(self.seen.values)]
        return flat[self.seen.places]


def softmax(values: Scores) -> Scores:
    """exp(v) / sum of exp; NaN where an element is not finite."""
    if not np.isfinite(values).all():
        return np.full(values.shape, np.nan)
    raised = np.exp(values - values.max())
    out: Scores = raised / raised.sum()
    return out


def _flat(names: Sequence[str], outputs: Mapping[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]) -> Scores:
    return np.concatenate([np.asarray(outputs[n], np.float64).reshape(-1) for n in names])


def read(
    answer: Answer,
    outputs: Sequence[Output],
    planned: Mapping[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]],
    batch: int = 1,
) -> Reading:
    """Settle what an answer's numbers are.

    planned: the outputs for the input as it should be. batch: slots that an output holds; an answer for one slot is the
    first one's. Raises ValueError, with both counts, where the numbers are not those of the outputs.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # numbers at the ends of floats sum to infinity, and fit nothing
        return _read(answer, outputs, planned, batch)


def _read(
    answer: Answer,
    outputs: Sequence[Output],
    planned: Mapping[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]],
    batch: int,
) -> Reading:
    values, halves = np.asarray(answer.values, np.float64), np.asarray(answer.halves, np.float64)
    if not len(values):
        raise ValueError("there are no numbers in it")
    names, count = _which(answer, outputs, batch)
    flat = _flat(names, planned)[:count]
    notes: list[str] = []
    ordered = not answer.classes and (len(values) < count or (len(values) >= 5 and bool((np.diff(values) <= 0).all())))
    if ordered:
        notes.append("sorted")
    one = next((o for o in outputs if o.name == names[0]), None)
    if len(names) == 1 and one is not None and one.scale and answer.whole and bool((np.abs(values) > 1).any()):
        values, halves = (values - one.zero_point) * one.scale, halves * one.scale
        notes.append("codes")
    places = np.asarray(answer.classes if answer.classes else range(0 if ordered else count), np.int64)
    like = bool((values >= -halves).all() and (values <= 1 + halves).all())
    sums = abs(float(values.sum()) - 1) <= _SUM + float(halves.sum())
    complete = len(values) == count
    bounded = bool(np.isfinite(flat).all() and flat.min() >= -1e-6 and flat.max() <= 1 + 1e-6)
    whole = bounded and abs(float(flat.sum()) - 1) < _SUM
    soft = False
    if not bounded and like and (sums if complete else float(values.sum()) <= 1 + _SUM):
        soft = True
        notes.append("softmax")
    elif whole and not like and complete and not ordered:
        values = softmax(values)
        halves = np.maximum(2 * halves * values * (1 - values), 1e-9)
        notes.append("logits")
        like = sums = True
    probability = like and (bounded or soft)
    free = len(values) - 1 if probability and complete and (whole or soft) else len(values)
    if one is not None and len(names) == 1 and one.scale and not soft and "logits" not in notes:
        halves = np.maximum(halves, one.scale / 2)  # the device can give multiples of it only
    if not answer.classes and not ordered and len(places) > MOST:
        order = np.argsort(-np.abs(values - np.median(values)), kind="stable")[:MOST]
        keep = np.sort(order)
        values, halves, places = values[keep], halves[keep], places[keep]
        notes.append("most")
    seen = Seen(values, halves, places, "probability" if probability else "value", ordered, max(1, free))
    return Reading(names, count, soft, seen, tuple(notes))


def _which(answer: Answer, outputs: Sequence[Output], batch: int) -> tuple[tuple[str, ...], int]:
    """The outputs (end to end) and how many of their elements an answer is about."""
    known = ", ".join(f"{o.name}: {o.size}" for o in outputs)
    if answer.output is not None:
        chosen = [o for o in outputs if o.name == answer.output]
        if not chosen:
            raise ValueError(f"the model has no output {answer.output}; it has {known} numbers")
    else:
        chosen = list(outputs)
    slots = max(1, batch)
    each = {o.name: o.size // slots if o.size % slots == 0 else o.size for o in chosen}
    n = len(answer.values)
    if answer.classes:
        top = max(answer.classes)
        fitting = [o for o in chosen if each[o.name] > top]
        if len(fitting) == 1:
            return (fitting[0].name,), each[fitting[0].name]
        raise ValueError(
            f"class {top} is in none of the outputs ({known} numbers)" if not fitting
            else f"several outputs have a class {top} ({known} numbers): write NAME=CLASS:SCORE,…"
        )  # fmt: skip
    for size_of in (lambda o: o.size, lambda o: each[o.name]):
        exact = [o for o in chosen if size_of(o) == n]
        if len(exact) == 1:
            return (exact[0].name,), n
        if len(exact) > 1:
            raise ValueError(f"several outputs have {n} numbers ({known}): write NAME=NUMBERS")
    if n == sum(o.size for o in chosen):
        return tuple(o.name for o in chosen), n
    values = np.asarray(answer.values)
    if len(chosen) == 1 and 0 < n < each[chosen[0].name] and n <= _TOP and bool((np.diff(values) <= 0).all()):
        return (chosen[0].name,), each[chosen[0].name]
    raise ValueError(
        f"it has {n} numbers, the model's outputs have {known}; give all numbers of an output in its order, its largest ones "
        "sorted, or class: score pairs as in 282:0.41,281:0.2"
    )
