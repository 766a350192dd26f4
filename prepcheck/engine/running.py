"""Call each rule once for each thing it is about; what a rule asks for and nobody stated makes it unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from prepcheck.errors import PrepcheckError
from prepcheck.facts.base import NotApplicable, Thing, Unstated, things
from prepcheck.facts.world import World
from prepcheck.records import dataclass
from prepcheck.registry import Finding, Rule


class RuleCrashed(PrepcheckError):
    """A rule raised: a bug of the rule. Nothing of the run can be trusted to be complete."""

    code = "internal"

    def __init__(self, rule: str, where: str, error: Exception) -> None:
        super().__init__(
            f"bug: rule {rule} raised {type(error).__name__} ({error}) on {where}; please report it, and leave the rule "
            f"out with --ignore {rule} until it is mended"
        )


@dataclass(frozen=True, slots=True)
class Found:
    """A finding with the rule and the thing it came from. also: ids of the findings that it explains."""

    rule: Rule
    finding: Finding
    where: str
    about: str
    severity: str
    also: tuple[str, ...] = ()

    @property
    def category(self) -> str:
        """The finding's own category, else the rule's."""
        return self.finding.category or self.rule.category

    @property
    def confidence(self) -> float:
        """0..1."""
        return self.rule.confidence if self.finding.confidence is None else self.finding.confidence


@dataclass(frozen=True, slots=True)
class NotKnown:
    """A check that could not be decided."""

    rule: str
    where: str
    fact: str
    reason: str
    supply: str
    values: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=False, slots=True)
class Outcome:
    """What a run of the rules gave. Counts are of checks: one rule on one thing."""

    found: list[Found] = field(default_factory=list)
    unknown: list[NotKnown] = field(default_factory=list)
    passed: int = 0
    failed: int = 0
    undecided: int = 0
    cleared: list[tuple[Rule, Thing]] = field(default_factory=list)


def run(rules: Iterable[Rule], world: World) -> Outcome:
    """Run rules over a world. Raises RuleCrashed where a rule raises anything but the errors of prepcheck."""
    outcome = Outcome()
    missing: dict[tuple[str, str], NotKnown] = {}
    for rule in rules:
        if rule.runtimes is not None and world.runtime not in rule.runtimes:
            continue
        for thing in things(world, rule.over):
            try:
                found = _check(rule, thing, world)
            except NotApplicable:
                continue
            except Unstated as absent:
                where = absent.where or thing.where
                outcome.undecided += 1
                missing.setdefault(
                    (where, absent.fact),
                    NotKnown(rule.id, where, absent.fact, absent.reason, absent.supply, absent.values),
                )
                continue
            except PrepcheckError:
                raise
            except Exception as error:  # whatever a rule (a plugin's too) raises is a bug, and is reported as one
                raise RuleCrashed(rule.id, thing.where, error) from error
            loud = [f for f in found if f.severity != "info"]
            outcome.found += found
            if loud:
                outcome.failed += 1
            else:
                outcome.passed += 1
                if not found:
                    outcome.cleared.append((rule, thing))
    outcome.unknown = sorted(missing.values(), key=lambda n: (n.where, n.rule, n.fact))
    return outcome


def _check(rule: Rule, thing: Thing, world: World) -> list[Found]:
    facts = {name: getattr(thing, name) for name in rule.needs}
    for name in rule.wants:
        try:
            facts[name] = getattr(thing, name)
        except (Unstated, NotApplicable):
            continue
    return [_found(rule, thing, finding, world) for finding in rule.check(**facts)]


def _found(rule: Rule, thing: Thing, finding: Finding, world: World) -> Found:
    severity = finding.severity or rule.severity
    if severity == "error" and rule.versions and world.version not in rule.versions:
        severity = "warning"
        measured = ", ".join(rule.versions)
        note = "Measured on runtime {measured_versions} only; " + (
            "the plan states {runtime_version}." if world.version else "the version on your device is not stated."
        )
        values = {**finding.values, "measured_versions": measured, "runtime_version": world.version}
        finding = replace(
            finding,
            explanation=f"{finding.explanation} {note}",
            values=values,
            evidence=finding.evidence or finding.values,
        )
    return Found(rule, finding, finding.where or thing.where, finding.about or thing.about, severity)
