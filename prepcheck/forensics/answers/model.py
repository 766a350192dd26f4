"""What goes into a weighing of answers and what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prepcheck.forensics.answers.hypotheses import Hypothesis

Scores: TypeAlias = NDArray[np.float64]
Verdict: TypeAlias = Literal["named", "as_planned", "left", "not_explained"]


@dataclass(frozen=True, slots=True)
class Noise:
    """How far a right model's answer may lie from the one computed here, besides the printed digits.

    levels: parts of a value (of its log-odds, where it is a probability); which of them holds is not known, so all count
    alike. step: one code of the output where the numbers compared come after a softmax of it (0 = floats).
    """

    levels: tuple[float, ...]
    step: float = 0.0


FLOAT = Noise((0.002, 0.01))
"""A float model. Measured: MNN 3.6 against onnxruntime 1.32 differ by 1e-4 of a value; half floats by some 1e-2."""
QUANTIZED = Noise((0.05, 0.15, 0.3))
"""An int8 model judged by a float one. Measured: static int8 of a text classifier, 120 inputs: 0.27 to 0.5 rms in log-odds
near 0, a tenth to a quarter of the log-odds beyond 2 (tests/forensics/bench_answers.py)."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The answer for one image: `values` printed to ± `halves`, at the places `places` of the output (flat).

    ordered: the values are the largest ones of the output, best first, their places unknown (`places` is empty).
    kind: `probability` (compared as log-odds) or `value`. free: how many of the values are independent.
    """

    values: Scores
    halves: Scores
    places: NDArray[np.int64]
    kind: Literal["probability", "value"]
    ordered: bool = False
    free: int = 1


@dataclass(frozen=True, slots=True)
class Ranked:
    """One hypothesis after all answers.

    expected: what it would have answered for each image (the values that are compared, as they would be printed).
    ratio: its likelihood over the best one's. posterior: with the priors. distance: how far the answers seen are from it,
    in standard deviations (root mean square over the numbers of the image that fits worst). group: number of its class of
    like answers. fits: distance within the bound. excluded: by ratio or by distance.
    """

    hypothesis: Hypothesis
    expected: tuple[tuple[float, ...], ...]
    ratio: float
    posterior: float
    distance: float
    group: int
    fits: bool
    excluded: bool


@dataclass(frozen=True, slots=True)
class Weighed:
    """The whole weighing, best first. name: the fault, only where every hypothesis that is left has that name.

    noise: for each image, the standard deviation in the domain of comparison (mean over the numbers). chance: probability
    that it is something else than any hypothesis, and what fits does so by chance.
    """

    verdict: Verdict
    ranked: tuple[Ranked, ...]
    name: str | None = None
    noise: tuple[float, ...] = ()
    chance: float = 0.0

    @property
    def left(self) -> tuple[Ranked, ...]:
        """What the answers do not exclude."""
        return tuple(r for r in self.ranked if not r.excluded)

    @property
    def excluded(self) -> tuple[Ranked, ...]:
        """What they do."""
        return tuple(r for r in self.ranked if r.excluded)

    @property
    def first(self) -> tuple[Ranked, ...]:
        """The class of the best one: hypotheses with the same answers within noise."""
        return tuple(r for r in self.ranked if r.group == self.ranked[0].group)
