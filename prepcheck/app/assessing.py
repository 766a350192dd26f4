"""What evidence clears and leaves, as parts of a report: every assessor asked, templates filled."""

from __future__ import annotations

from collections.abc import Callable

from prepcheck.contract.report import NextTest, Outcome, RuledOut
from prepcheck.engine.reporting import english, fill
from prepcheck.evidence import ledger, loglines
from prepcheck.evidence.assessment import Assessment
from prepcheck.facts.log import LogBook
from prepcheck.facts.world import World

Translate = Callable[[str], str]


def assess(book: LogBook, world: World) -> Assessment:
    """What lines, observations, answers and symptoms clear, and the tests that separate what they leave."""
    found = loglines.assess(book, world).plus(ledger.assess(book, world))
    if world.extra.get("answer_weighing"):
        from prepcheck.evidence.weighing import from_weighing

        found = found.plus(from_weighing(world))
    return found


def ruled_out(found: Assessment, translate: Translate = english) -> list[RuledOut]:
    """What is cleared, in the reader's words."""
    return [
        RuledOut.made(what=fill(c.what, c.values, translate), because=fill(c.because, c.values, translate))
        for c in found.ruled_out
    ]


def next_tests(found: Assessment, translate: Translate = english) -> list[NextTest]:
    """The next tests, the best first."""
    return [
        NextTest.made(
            do=fill(t.do, t.values, translate),
            outcomes=[
                Outcome.made(see=fill(see, t.values, translate), means=fill(means, t.values, translate))
                for see, means in t.outcomes
            ],
        )
        for t in found.next_tests
    ]
