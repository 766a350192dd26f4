"""Facts about answers: which faults of the input, run forward through the model, explain what was seen. Handed in by `app`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.core.plain import Value
from prepcheck.facts.base import Thing, Unstated, lists
from prepcheck.facts.world import World
from prepcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class WeighedFault:
    """One hypothesis after all answers. expected: for each image, what the model would have answered (at most five numbers).

    ratio: likelihood over the best one's. posterior: with the priors. distance: of the answer seen, in standard deviations.
    group: number of its class of like answers, 0 = the best.
    """

    name: str
    label: str
    evidence: Mapping[str, Value]
    expected: tuple[tuple[float, ...], ...]
    ratio: float
    posterior: float
    distance: float
    group: int
    excluded: bool


@dataclass(frozen=True, slots=True)
class AnswerWeighing:
    """What the answers say. verdict: named, as_planned, left, not_explained; empty where they could not be weighed.

    images, seen: what was answered for which (at most five numbers). ranked: best first. runner: what ran the model.
    settled: whether plan or model state how values are normalised. quantized: the device computes in int8, the runner in
    floats. unlike: hypotheses whose input is the planned one for these pictures. page: the rule that explains the named
    fault. card: what the test card of card_size (width, height) would be answered: (hypotheses, numbers). taken: how the
    numbers were read. chance: probability of something else, which fits by chance. problem, supply: why nothing could be weighed, and what would help.
    """

    verdict: str = ""
    name: str | None = None
    images: tuple[str, ...] = ()
    seen: tuple[tuple[float, ...], ...] = ()
    ranked: tuple[WeighedFault, ...] = ()
    input: int = 0
    label: str = ""
    runner: str = ""
    settled: bool = True
    quantized: bool = False
    page: str = ""
    category: str = "other"
    taken: tuple[str, ...] = ()
    card: tuple[tuple[str, tuple[float, ...]], ...] = ()
    card_size: tuple[int, int] | None = None
    chance: float = 0.0
    problem: str | None = None
    supply: str = ""

    @property
    def left(self) -> tuple[WeighedFault, ...]:
        """What the answers do not exclude."""
        return tuple(r for r in self.ranked if not r.excluded)

    @property
    def excluded(self) -> tuple[WeighedFault, ...]:
        """What they do."""
        return tuple(r for r in self.ranked if r.excluded)

    @property
    def planned(self) -> WeighedFault:
        """The hypothesis that nothing is wrong."""
        return next(r for r in self.ranked if r.name == "as_planned")

    def numbers(self) -> dict[str, Value]:
        """What every finding about answers shows."""
        best = self.ranked[0]
        return {
            "count": len(self.ranked), "excluded": len(self.excluded), "answers": len(self.images), "image": self.images[0],
            "seen": list(self.seen[0]), "planned": list(self.planned.expected[0]), "planned_ratio": self.planned.ratio,
            "planned_distance": self.planned.distance, "best": best.label, "expected": list(best.expected[0]) if best.expected else [],
            "distance": best.distance, "probability": best.posterior, "chance": self.chance, "runner": self.runner,
        }  # fmt: skip


class AnswersThing(Thing):
    """The answers of one model. `name` is the verdict; `left` where they could not be weighed."""

    kind = "answers"

    def __init__(self, world: World, found: AnswerWeighing) -> None:
        super().__init__(world, "answers", f"inputs[{found.input}]" if found.verdict == "named" else "answers")
        self.name = found.verdict or "left"
        self._found = found

    @property
    def weighing(self) -> AnswerWeighing:
        """The weighing; Unstated where there is none."""
        if self._found.problem is not None:
            raise Unstated("answers", "{why}", "{cure}", why=self._found.problem, cure=self._found.supply)
        return self._found


@lists("answers")
def _answers(world: World) -> Iterator[Thing]:
    for item in world.extra.get("answer_weighing", ()):
        if isinstance(item, AnswerWeighing):
            yield AnswersThing(world, item)
