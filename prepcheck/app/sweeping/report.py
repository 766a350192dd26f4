"""What a sweep gathered → one Report: groups of findings with counts and examples, the set's own findings, a summary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from prepcheck.app.handover import hand_overs
from prepcheck.app.sweeping.gather import EXAMPLES, Gathered, Group, finding_order, place
from prepcheck.app.sweeping.records import FindingRecord
from prepcheck.app.validate import chosen
from prepcheck.app.version import VERSION
from prepcheck.contract.report import Finding, Report, Subject, Summary
from prepcheck.engine.loading import load_only, rule_files
from prepcheck.engine.merging import merge
from prepcheck.engine.reporting import fill, safe, to_finding, to_unknown, verdict_of
from prepcheck.engine.running import Outcome, run
from prepcheck.facts.sample_set import InputSet, SampleSet
from prepcheck.facts.world import World
from prepcheck.registry import RULES, Rule, Value

Translate = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Told:
    """What the report says about the sweep itself, beside its findings."""

    model: str | None
    plan: str | None
    paths: tuple[str, ...]
    kind: str
    found: int
    passed_over: int
    limit: int | None
    sample: int | None
    seed: int | None


def sweep_report(
    gathered: Gathered,
    world: World,
    base: Outcome,
    sample_set: SampleSet,
    told: Told,
    *,
    select: Sequence[str],
    ignore: Sequence[str],
    translate: Translate,
) -> Report:
    """The report. base: what holds of model and plan without any sample."""
    of_model = [to_finding(f, translate) for f in merge(base.found)]
    already = {(f.rule, f.where, f.message) for f in of_model}
    total = len(gathered.chosen)
    findings = [*of_model, *(_grouped(g, total, translate) for g in gathered.groups(already))]
    if chosen(load_only("IM001"), select, ignore):
        findings += _unreadable(gathered, total, translate)
    own = run(chosen(_set_rules(), select, ignore), world)
    findings += [to_finding(f, translate) for f in merge(own.found)]
    findings.sort(key=lambda f: (*finding_order(f)[:1], int(RULES[f.rule].rank), *finding_order(f)[1:]))
    passed, failed, undecided = gathered.counts()
    first = next((f for f in findings if f.severity != "info"), None)
    return Report.model_construct(
        schema_="prepcheck/report/v1",
        version=VERSION,
        verdict=verdict_of(f.severity for f in findings),
        subject=Subject.model_construct(
            model=told.model, plan=told.plan, images=list(told.paths), buffers={}, log=None, sha256=None
        ),
        contract=world.contract,
        findings=findings,
        unknown=gathered.unknown() + [to_unknown(u, translate) for u in own.unknown],
        scope=RULES[first.rule].scope if first is not None else None,
        ruled_out=[],
        next_tests=[],
        hand_over=hand_overs(world.contract, world.platform, translate) if world.contract is not None else [],
        path={},
        details={"sweep": _details(gathered, world, sample_set, told)},
        summary=Summary.model_construct(
            passed=passed + own.passed,
            failed=failed + own.failed + len(gathered.errors),
            unknown=undecided + own.undecided,
        ),
        error=None,
    )


def _set_rules() -> list[Rule]:
    """The rules about whole sets: files `<id>_samples_…`."""
    return load_only(*(key for key, path in rule_files().items() if path.stem[6:].startswith("samples_")))


def _grouped(group: Group, total: int, translate: Translate) -> Finding:
    first = group.first
    message = first["message"]
    if group.count < total or len(group.messages) > 1:
        message = fill(
            translate("{count} of {total} samples, first {sample}: {message}"),
            {"count": group.count, "total": total, "sample": group.samples[0], "message": message},
        )
    elif total > 1:
        message = fill(translate("All {total} samples: {message}"), {"total": total, "message": message})
    counted = {"count": group.count, "total": total, "samples": list(group.samples)}
    changed: FindingRecord = {
        **first, "where": place(first["where"]), "message": message, "evidence": {**first["evidence"], **counted},
    }  # fmt: skip
    return Finding.model_construct(**changed)


def _unreadable(gathered: Gathered, total: int, translate: Translate) -> list[Finding]:
    """Samples that could not be read, where others could: one finding of IM001."""
    errors = gathered.errors
    if not errors:
        return []
    (rule,) = load_only("IM001")
    problems = [{"sample": name, "error": message} for name, _, message in errors[:EXAMPLES]]
    values: dict[str, Value] = {"count": len(errors), "total": total, "problem": errors[0][2]}
    return [
        Finding.model_construct(
            rule=rule.id,
            category=rule.category,
            severity="error",
            fault=None,
            where="samples",
            message=fill(translate("{count} of {total} samples cannot be read. The first: {problem}"), values),
            explanation=translate("The other samples were judged; these could not be."),
            fix=translate("Replace the files, or take them out of the set."),
            evidence={**values, "samples": [p["sample"] for p in problems], "problems": problems},
            confidence=round(rule.confidence, 3),
        )
    ]


def _details(gathered: Gathered, world: World, sample_set: SampleSet, told: Told) -> dict[str, object]:
    contract = world.contract
    return {
        "paths": list(told.paths),
        "kind": told.kind,
        "found": told.found,
        "samples": len(gathered.chosen),
        "judged": len(gathered.chosen) - len(gathered.errors),
        "unreadable": len(gathered.errors),
        "passed_over": told.passed_over,
        "resized_otherwise": gathered.otherwise,
        "limit": told.limit,
        "sample": told.sample,
        "seed": told.seed,
        "calibration": sample_set.calibration,
        "inputs": {
            (contract.inputs[s.input].name or f"inputs[{s.input}]") if contract is not None else str(s.input): _input(s)
            for s in sample_set.inputs
        },
    }


def _input(s: InputSet) -> dict[str, object]:
    sizes = [{"size": list(size), "count": count, "first": first} for size, count, first in s.sizes[:EXAMPLES]]
    return {
        "pictures": s.pictures,
        "arrays": len(s.arrays),
        "distinct": s.distinct,
        "sizes": sizes,
        "other_sizes": max(0, len(s.sizes) - EXAMPLES),
        "channels": [
            {
                "low": safe(low),
                "high": safe(high),
                "histogram": list(s.histogram[i]) if i < len(s.histogram) else None,
            }
            for i, (low, high) in enumerate(s.extents)
        ],
    }
