"""Facts about a symptom that the user names in words. Handed in by `app`."""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.base import Thing, lists
from prepcheck.facts.world import World
from prepcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class NamedSymptom:
    """A symptom of the index. causes: (what, because, rules) in order, the most common first.

    told: the causes as sentences in the reader's language, in the same order.
    """

    id: str
    en: str
    zh: str
    causes: tuple[tuple[str, str, tuple[str, ...]], ...]
    told: tuple[str, ...]


class SymptomThing(Thing):
    """One symptom."""

    kind = "symptom"

    def __init__(self, world: World, symptom: NamedSymptom) -> None:
        super().__init__(world, "symptom", f"symptom:{symptom.id}")
        self._symptom = symptom

    @property
    def symptom(self) -> NamedSymptom:
        """The symptom itself."""
        return self._symptom


@lists("symptom")
def _symptoms(world: World) -> Iterator[Thing]:
    for item in world.extra.get("named_symptoms", ()):
        if isinstance(item, NamedSymptom):
            yield SymptomThing(world, item)
