"""Which normalisation a pixel goes through on its way into the network, against the one of training: one cause each.

The way is a list of maps (x − mean)/std: those of the application, then those of the model or its runtime. Where the
composition is not the map of training, single repairs are tried (leave one out, turn a list round, exchange mean and std,
invert std, another unit, the lists of another input); the first that makes it right is the cause. Without a statement
about training only what is wrong for every network is told: values squeezed to nothing, or blown up beyond any use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from prepcheck.pixels.chain import Affine
from prepcheck.records import dataclass

TOLERANCE = 0.02
"""Maps are the same where they agree within 2 % of the span of 0..255: 127.5 for 128, rounded constants. A choice."""
NEAR = 0.10
"""Differences up to a tenth of the span cost accuracy rather than the result. A choice."""


@dataclass(frozen=True, slots=True)
class Op:
    """(x − mean)/std. who: host or model. step: its place in the plan's steps. kind: scale, normalize, image_process, model."""

    who: str
    mean: tuple[float, ...]
    std: tuple[float, ...]
    step: int | None = None
    kind: str = "normalize"

    @property
    def is_nothing(self) -> bool:
        """Whether it leaves the values as they are."""
        return all(m == 0 for m in self.mean) and all(s == 1 for s in self.std)


@dataclass(frozen=True, slots=True)
class NormalizationStory:
    """What was found. kind: right, twice, missing, order, swapped, reciprocal, unit, other_input, near, other.

    op: the map that is at fault; factor: of `unit`; seen, trained: the two maps from pixel to value (trained: None where
    it is not stated and the cause was told from the values alone). repaired: what the map at fault should have been.
    """

    kind: str
    seen: Affine
    trained: Affine | None = None
    op: Op | None = None
    repaired: Op | None = None
    factor: float | None = None

    @property
    def seen_range(self) -> tuple[float, float]:
        """The values that the network gets for pixels 0..255."""
        return self.seen.range()

    @property
    def trained_range(self) -> tuple[float, float] | None:
        """The values that it got in training."""
        return None if self.trained is None else self.trained.range()


def compose(ops: Sequence[Op]) -> Affine | None:
    """All maps in order, beginning with the pixel; None where a std is 0 or list lengths do not fit each other."""
    found: Affine | None = Affine()
    for op in ops:
        found = None if found is None else found.then(op.mean, op.std)
    return found


def same(one: Affine | None, other: Affine, *, tolerance: float = TOLERANCE) -> bool:
    """Whether two maps send 0..255 to nearly the same values."""
    return one is not None and one.close_to(other, scale=tolerance, shift=tolerance)


def against_training(
    ops: Sequence[Op], trained: Affine, *, trained_ops: Sequence[Op], reverse: bool = False, rivals: Sequence[Op] = ()
) -> NormalizationStory | None:
    """The story of maps against those of training. None where the maps cannot be composed.

    reverse: the channels stand in the other order than in training, which is a fault of its own. rivals: what the model applies to its other inputs.
    """
    seen = compose(ops)
    if seen is None:
        return None
    goal = trained.reversed() if reverse else trained
    if same(seen, goal) or (reverse and same(seen, trained)):  # either is right once the channels are exchanged
        return NormalizationStory("right", seen, trained)
    active = [op for op in ops if not op.is_nothing]
    for kind, op, repaired, factor, tried in _repairs(active, trained_ops, rivals):
        if same(compose(tried), goal):
            return NormalizationStory(kind, seen, trained, op, repaired, factor)
    kind = "near" if same(seen, goal, tolerance=NEAR) else "other"
    return NormalizationStory(kind, seen, trained, active[-1] if active else None)


Repair = tuple[str, "Op | None", "Op | None", "float | None", list[Op]]


def _repairs(ops: list[Op], trained_ops: Sequence[Op], rivals: Sequence[Op]) -> Iterator[Repair]:
    """(kind, the map at fault, what it should be, factor, the maps as they would be), the likeliest first."""
    hosts = [op for op in ops if op.who == "host"]
    models = [op for op in ops if op.who != "host"]
    if hosts and models:
        yield "twice", models[0], None, None, hosts
        yield "twice", hosts[-1], None, None, models
    if not ops:
        yield "missing", None, trained_ops[-1] if trained_ops else None, None, list(trained_ops)
    for i, op in enumerate(ops):
        for kind, repaired, factor in _alternatives(op):
            yield kind, op, repaired, factor, [*ops[:i], repaired, *ops[i + 1 :]]
    if len(ops) > 1:
        for i, op in enumerate(ops):
            yield "twice", op, None, None, [*ops[:i], *ops[i + 1 :]]
    for i, op in enumerate(ops):
        if op.who == "host":
            continue
        for rival in rivals:
            yield "other_input", op, rival, None, [*ops[:i], rival, *ops[i + 1 :]]
    if ops and trained_ops:
        yield "missing", None, trained_ops[-1], None, [*ops, trained_ops[-1]]


def _alternatives(op: Op) -> Iterator[tuple[str, Op, float | None]]:
    if op.kind == "scale":
        return
    if len(op.mean) == 3 or len(op.std) == 3:
        yield "order", replace(op, mean=op.mean[::-1], std=op.std[::-1]), None
        yield "order", replace(op, mean=op.mean[::-1]), None
    if all(op.mean):
        yield "swapped", replace(op, mean=op.std, std=op.mean), None
    if all(op.std):
        inverted = tuple(1 / s for s in op.std)
        yield "reciprocal", replace(op, std=inverted), None
        for mean, std in ((255.0, 255.0), (1.0, 255.0), (255.0, 1.0)):
            yield "reciprocal", replace(op, mean=_by(op.mean, mean), std=_by(inverted, std)), None
    for mean, std in ((255.0, 255.0), (1.0, 255.0), (255.0, 1.0)):
        yield "unit", replace(op, mean=_by(op.mean, mean), std=_by(op.std, std)), 255.0
        yield "unit", replace(op, mean=_by(op.mean, 1 / mean), std=_by(op.std, 1 / std)), 1 / 255.0
    for mean in (1.0, 255.0):  # normal · 255 where normal / 255 was meant: off by 255 squared (alibaba/MNN#936)
        yield "unit", replace(op, mean=_by(op.mean, mean), std=_by(op.std, 65025.0)), 65025.0


def _by(values: tuple[float, ...], factor: float) -> tuple[float, ...]:
    return tuple(v * factor for v in values)


SQUEEZED = 0.5
"""A picture whose values differ by less than this after all maps is one value to a network whose own map spans more."""
HOST_SPAN = 16.0
"""Values that the application has brought to a span below this are no pixels any more."""
BLOWN_UP = 200.0
"""Maps with a std of at most 1 and a mean of at most 1.5 are meant for 0..1; applied to pixels they leave such spans."""
INVERSE = 0.05
"""A std below this on pixels makes values beyond 5000: it is the factor, not the divisor (1/255, 1/58.4)."""


def without_training(ops: Sequence[Op]) -> NormalizationStory | None:
    """What can be told from the maps alone; None where nothing can (that is not the same as right)."""
    seen = compose(ops)
    if seen is None:
        return None
    active = [op for op in ops if not op.is_nothing]
    hosts = [op for op in active if op.who == "host"]
    models = [op for op in active if op.who != "host"]
    fed, alone = compose(hosts), compose(models)
    if hosts and models and fed and alone and _span(seen) < SQUEEZED < _span(alone) and _span(fed) <= HOST_SPAN:
        return NormalizationStory("twice", seen, None, models[0])
    values: Affine | None = Affine()
    for op in active:
        before = values
        values = None if values is None else values.then(op.mean, op.std)
        if before is None or values is None or op.kind == "scale" or _span(before) < BLOWN_UP:
            continue
        if max(op.std) <= INVERSE and min(op.std) > 0:
            return NormalizationStory("reciprocal", seen, None, op, replace(op, std=tuple(1 / s for s in op.std)))
        if max(op.std) < 1 and min(op.std) > 0 and max(map(abs, op.mean)) <= 1.5:
            repaired = replace(op, mean=_by(op.mean, 255), std=_by(op.std, 255))
            return NormalizationStory("unit", seen, None, op, repaired, 255.0)
    return None


def _span(values: Affine) -> float:
    """The largest span of one channel over pixels 0..255."""
    return max(abs(a) for a in values.a) * 255


ROUGH = 0.15
"""Ranges over all channels agree within 15 % of training's span: per-channel means shift them against each other."""


def range_against_training(
    fed: tuple[float, float], models: Sequence[Op], trained: Affine | None, *, measured: bool
) -> NormalizationStory | None:
    """The story where only the submitted range is known; None where nothing is wrong or it cannot be told.

    measured: the range is that of a file, which need not reach both ends: then only gross differences count.
    """
    host = _range_op(fed)
    active = [op for op in models if not op.is_nothing]
    seen, alone = compose([host, *active]), compose(active)
    if seen is None or alone is None:
        return None
    if trained is None:
        if active and _span(seen) < SQUEEZED and _span(alone) > SQUEEZED and fed[1] - fed[0] <= HOST_SPAN:
            return NormalizationStory("twice", seen, None, active[0])
        return None
    goal = trained.range()
    if _fits(seen.range(), goal, measured):
        return None
    if active and _fits(fed, goal, measured):
        return NormalizationStory("twice", seen, trained, active[0])
    if _fits(alone.range(), goal, False) and fed[1] - fed[0] <= HOST_SPAN:
        return NormalizationStory("twice", seen, trained, host)
    if not active and fed[0] >= 0 and fed[1] >= BLOWN_UP and goal[1] - goal[0] <= HOST_SPAN:
        return NormalizationStory("missing", seen, trained)
    return None if measured else NormalizationStory("near", seen, trained, host)


def _range_op(fed: tuple[float, float]) -> Op:
    """The map that takes 0..255 to a range."""
    a = max(fed[1] - fed[0], 1e-12) / 255.0
    return Op("host", (-fed[0] / a,), (1 / a,), None, "range")


def _fits(found: tuple[float, float], goal: tuple[float, float], measured: bool) -> bool:
    span = max(goal[1] - goal[0], 1e-12)
    slack = ROUGH * span
    if measured:
        inside = found[0] >= goal[0] - slack and found[1] <= goal[1] + slack
        return inside and found[1] - found[0] >= ROUGH * span
    return abs(found[0] - goal[0]) <= slack and abs(found[1] - goal[1]) <= slack


@dataclass(frozen=True, slots=True)
class ValueUse:
    """What the submitted values make of the codes of a quantised input.

    fed: as submitted; seen: after mean and std, over all channels; held: what the codes hold; outside: the part of the
    submitted range that no code holds (of the worst channel, 0..1); codes: how many codes the range spans at most.
    """

    fed: tuple[float, float]
    seen: tuple[float, float]
    held: tuple[float, float]
    scale: float
    outside: float
    codes: float
    channel: int


def value_use(
    fed: tuple[float, float], models: Sequence[Op], held: tuple[float, float], scale: float
) -> ValueUse | None:
    """How well a range fits the codes; None where the maps cannot be composed."""
    model = compose(models)
    if model is None or scale <= 0:
        return None
    worst, channel, codes = 0.0, 0, 0.0
    ends: list[float] = []
    for i, (a, b) in enumerate(zip(model.a, model.b, strict=True)):
        low, high = sorted((a * fed[0] + b, a * fed[1] + b))
        ends += [low, high]
        kept = max(0.0, min(high, held[1]) - max(low, held[0]))
        outside = 1.0 - kept / (high - low) if high > low else float(not held[0] <= low <= held[1])
        if outside > worst:
            worst, channel = outside, i
        codes = max(codes, kept / scale + 1)
    return ValueUse(fed, (min(ends), max(ends)), held, scale, worst, codes, channel)
