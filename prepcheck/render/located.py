"""What the machine formats need beside a report: the file and line of each finding, its page, its fingerprint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from prepcheck.records import dataclass

if TYPE_CHECKING:
    from prepcheck.contract.report import Finding, Report


@dataclass(frozen=True, slots=True)
class Place:
    """A file as the user gave it, and a line from 1. Model and image files have one line for all."""

    path: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class RulePage:
    """What a rule's file says of it."""

    id: str
    name: str
    title: str
    text: str
    severity: str
    category: str


@dataclass(frozen=True, slots=True)
class Located:
    """A report with a place and a fingerprint for every finding (same order), and the pages of the rules in it."""

    report: Report
    places: Sequence[Place]
    fingerprints: Sequence[str]
    pages: Mapping[str, RulePage]
    subject: Place

    @property
    def failures(self) -> list[tuple[Finding, Place, str]]:
        """(finding, place, fingerprint) of errors and warnings."""
        every = zip(self.report.findings, self.places, self.fingerprints, strict=True)
        return [item for item in every if item[0].severity != "info"]
