"""What a guard finds, as data and as the text that a person reads. Standard library only.

The modules `finding`, `kinds`, `compiled`, `profiles`, `shapes`, `content`, `checks`, `stats`, `answers`, `policy`,
`guard`, `hooks`, `standin` and `rknn_proxy` are also the source of the single file that `export --to py-guard` writes for
boards: they keep to the syntax of Python 3.7 and to numpy 1.16.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    Value = None | bool | int | float | str | list[int] | list[float] | list[str]


class Kind(NamedTuple):
    """One kind of fault: its id, where it belongs, and its three texts with named places."""

    rule: str
    category: str
    severity: str
    message: str
    explanation: str
    fix: str
    fault: str | None = None


class _Blank(dict):  # type: ignore[type-arg]  # dict[str, str] as a base needs Python 3.9
    """A place that nobody filled stays visible and never raises: a guard must not fail while it reports."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


@dataclass(frozen=True, slots=True)
class GuardFinding:
    """One fault, with the keys of a report's finding.

    rule: stable id. category, severity, fault: words of the report's vocabularies. where: `inputs[0] (images)`.
    evidence: the numbers that fill the texts.
    """

    rule: str
    category: str
    severity: str
    where: str
    message: str
    explanation: str
    fix: str
    fault: str | None = None
    evidence: Mapping[str, Value] = field(default_factory=dict)
    confidence: float = 1.0

    def as_dict(self) -> dict[str, object]:
        """The finding as a report writes it."""
        return {
            "rule": self.rule,
            "category": self.category,
            "severity": self.severity,
            "fault": self.fault,
            "where": self.where,
            "message": self.message,
            "explanation": self.explanation,
            "fix": self.fix,
            "evidence": dict(self.evidence),
            "confidence": self.confidence,
        }

    def __str__(self) -> str:
        return f"{self.rule} {self.where}: {self.message}\n  why: {self.explanation}\n  fix: {self.fix}"


@dataclass(frozen=True, slots=True)
class GuardReport:
    """The findings of one call, first the diagnosis. `CheckFailed.report` of a guard holds one."""

    findings: tuple[GuardFinding, ...] = ()

    @property
    def ok(self) -> bool:
        """No error among them."""
        return not any(f.severity == "error" for f in self.findings)

    def __str__(self) -> str:
        return "\n".join(str(f) for f in self.findings)


def number(value: Value) -> str:
    """A number as messages show it: thousands separated, floats with six significant digits at most."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.6g}"
    return str(value)


def make(kind: Kind, where: str, values: Mapping[str, Value], confidence: float = 1.0) -> GuardFinding:
    """A finding of `kind` at `where`, its texts filled from `values`."""
    shown = _Blank((k, number(v)) for k, v in values.items())
    return GuardFinding(
        rule=kind.rule,
        category=kind.category,
        severity=kind.severity,
        where=where,
        message=kind.message.format_map(shown),
        explanation=kind.explanation.format_map(shown),
        fix=kind.fix.format_map(shown).rstrip(),
        fault=kind.fault,
        evidence=dict(values),
        confidence=confidence,
    )
