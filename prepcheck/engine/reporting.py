"""An outcome → a Report: templates filled, numbers made safe for JSON, verdict and scope settled."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from prepcheck.contract.contract import Contract
from prepcheck.contract.report import (
    Finding,
    HandOver,
    NextTest,
    Report,
    RuledOut,
    StepLine,
    Subject,
    Summary,
    Unknown,
    Verdict,
)
from prepcheck.engine.merging import merge
from prepcheck.engine.running import Found, NotKnown, Outcome
from prepcheck.registry import Value

Translate = Callable[[str], str]


def english(text: str) -> str:
    """The translation into the language that the templates are written in."""
    return text


def fill(template: str, values: Mapping[str, Value], translate: Translate = english) -> str:
    """A template in the reader's language with its places filled."""
    return translate(template).format(**{k: show(v) for k, v in values.items()})


def show(value: Value) -> object:
    """A value as text shows it: lists without quotes, floats short (but usable with a format of its own)."""
    if isinstance(value, float):
        return _Short(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(str(show(v)) for v in value) + "]"
    return value


class _Short(float):
    """A float that prints with up to six significant digits where no format is given."""

    def __format__(self, spec: str) -> str:
        return float.__format__(self, spec or ".6g")

    def __str__(self) -> str:
        return float.__format__(self, ".6g")


def safe(value: object) -> object:
    """A value for JSON: tuples as lists, NaN and infinities as strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {str(k): safe(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [safe(v) for v in value]
    return value


def to_finding(found: Found, translate: Translate = english) -> Finding:
    """One finding of the report."""
    f = found.finding
    evidence = {k: safe(v) for k, v in (f.values if f.evidence is None else f.evidence).items()}
    if found.also:
        evidence["also"] = list(found.also)
    return Finding.model_construct(
        rule=found.rule.id,
        category=found.category,
        severity=found.severity,
        fault=f.fault,
        where=found.where,
        message=fill(f.message, f.values, translate),
        explanation=fill(f.explanation, f.values, translate),
        fix=fill(f.fix, f.values, translate),
        evidence=evidence,
        confidence=round(found.confidence, 3),
    )


def to_unknown(unknown: NotKnown, translate: Translate = english) -> Unknown:
    """One check of the report that could not be decided."""
    return Unknown.model_construct(
        rule=unknown.rule,
        where=unknown.where,
        reason=fill(unknown.reason, unknown.values, translate),
        supply=fill(unknown.supply, unknown.values, translate),
    )


def verdict_of(severities: Iterable[str]) -> Verdict:
    """The worst of the findings' severities as a verdict; notes alone are ok."""
    found = set(severities)
    return "error" if "error" in found else "warning" if "warning" in found else "ok"


def report_of(
    outcome: Outcome,
    *,
    version: str,
    subject: Subject,
    contract: Contract | None,
    translate: Translate = english,
    ruled_out: list[RuledOut] | None = None,
    next_tests: list[NextTest] | None = None,
    hand_over: list[HandOver] | None = None,
    path: dict[str, list[StepLine]] | None = None,
    scope: str | None = None,
    details: dict[str, object] | None = None,
) -> Report:
    """The report of a run."""
    merged = merge(outcome.found)
    findings = [to_finding(f, translate) for f in merged]
    first = next((f for f in merged if f.severity != "info"), None)
    if first is not None and scope is None:
        scope = first.finding.scope or first.rule.scope
    return Report.model_construct(
        schema_="prepcheck/report/v1",
        version=version,
        verdict=verdict_of(f.severity for f in merged),
        subject=subject,
        contract=contract,
        findings=findings,
        unknown=[to_unknown(u, translate) for u in outcome.unknown],
        scope=scope,
        ruled_out=ruled_out or [],
        next_tests=next_tests or [],
        hand_over=hand_over or [],
        path=path or {},
        details=details or {},
        summary=Summary.model_construct(passed=outcome.passed, failed=outcome.failed, unknown=outcome.undecided),
        error=None,
    )
