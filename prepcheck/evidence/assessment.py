"""What evidence leaves and clears: the form in which every assessor answers.

An assessor is a function `assess(book: LogBook, world: World) -> Assessment`. `prepcheck.evidence.loglines` reads single
lines; `prepcheck.evidence.ledger`, where it is there, weighs observations, symptoms and answers. What the user said
besides a log stands in `world.extra`: `symptom` (texts), `answers` (texts), `observations`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from prepcheck.records import dataclass
from prepcheck.registry import Value


@dataclass(frozen=True, slots=True)
class Cleared:
    """What is not the cause, and the evidence for that. what and because are templates filled by `values`."""

    what: str
    because: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Test:
    """A test that separates what is left. outcomes: (what is seen, what that means). rank: the lowest comes first."""

    do: str
    outcomes: tuple[tuple[str, str], ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    rank: int = 50


@dataclass(frozen=True, slots=True)
class Assessment:
    """What an assessor says. scope: where the fault lies, None where it does not say. notes: for `details`."""

    ruled_out: tuple[Cleared, ...] = ()
    next_tests: tuple[Test, ...] = ()
    scope: str | None = None
    notes: Mapping[str, Value] = field(default_factory=dict)

    def plus(self, other: Assessment) -> Assessment:
        """Both, the other's scope counting where it has one; what is said twice stands once."""
        return replace(
            self,
            ruled_out=tuple(_cleared_once((*self.ruled_out, *other.ruled_out))),
            next_tests=tuple(sorted(_once((*self.next_tests, *other.next_tests)), key=lambda t: t.rank)),
            scope=other.scope or self.scope,
            notes={**self.notes, **other.notes},
        )


def _once(tests: tuple[Test, ...]) -> list[Test]:
    seen: set[str] = set()
    kept = []
    for test in tests:
        key = test.do + repr(sorted(test.values.items(), key=lambda i: i[0]))
        if key not in seen:
            seen.add(key)
            kept.append(test)
    return kept


def _cleared_once(cleared: tuple[Cleared, ...]) -> list[Cleared]:
    seen: set[str] = set()
    kept = []
    for one in cleared:
        key = one.what + one.because + repr(sorted(one.values.items(), key=lambda i: i[0]))
        if key not in seen:
            seen.add(key)
            kept.append(one)
    return kept
