"""What lines of logs clear by themselves, and the test that separates what they leave."""

from __future__ import annotations

from prepcheck.evidence.assessment import Assessment
from prepcheck.facts.log import LogBook
from prepcheck.facts.world import World


def assess(book: LogBook, world: World) -> Assessment:
    """What the lines of a book clear, and the next test."""
    return Assessment()
