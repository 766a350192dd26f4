"""Facts of a run: what the model answers to the expected input, and to the one that was submitted. Handed in by `app`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.world import World


@dataclass(frozen=True, slots=True)
class OutputEffect:
    """One output. elements: of it. top, value: place and value of its largest element, for the expected input.

    submitted_top, submitted_value: for the submitted one; cosine, difference: between the two answers (largest absolute
    difference), None where nothing was submitted. again: largest difference of a second run with the input written anew;
    unwritten: without. largest: largest absolute value. bad: elements that are not finite (expected, submitted).
    """

    name: str
    shape: tuple[int, ...]
    elements: int
    top: int
    value: float
    largest: float
    again: float
    unwritten: float
    submitted_top: int | None = None
    submitted_value: float | None = None
    cosine: float | None = None
    difference: float | None = None
    bad: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class RunEffect:
    """What a run on the CPU of this machine gave. problem, supply: why there was none, and what would help.

    submitted: inputs that were taken from --buffer. zeros: inputs that nothing was given for.
    """

    outputs: tuple[OutputEffect, ...] = ()
    submitted: tuple[str, ...] = ()
    zeros: tuple[str, ...] = ()
    problem: str | None = None
    supply: str = ""


class RunEffectThing(Thing):
    """The runs of one model, expected and submitted."""

    kind = "run_effect"

    def __init__(self, world: World, effect: RunEffect) -> None:
        super().__init__(world, "model", "run")
        self._effect = effect

    @property
    def effect(self) -> RunEffect:
        """The runs; Unstated where the model could not be run."""
        if not self._effect.outputs:
            self._refuse()
        return self._effect

    def _refuse(self) -> None:
        why = self._effect.problem or "the model could not be run"
        raise Unstated("run", "{why}", "{cure}", why=why, cure=self._effect.supply)

    @property
    def compared(self) -> list[OutputEffect]:
        """The outputs with two answers; Unstated where the submitted input could not be run."""
        if self._effect.problem is not None:
            self._refuse()
        found = [o for o in self.effect.outputs if o.cosine is not None]
        if not found:
            raise NotApplicable
        return found


@lists("run_effect")
def _effects(world: World) -> Iterator[Thing]:
    for item in world.extra.get("run_effect", ()):
        if isinstance(item, RunEffect):
            yield RunEffectThing(world, item)
