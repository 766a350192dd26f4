"""Findings that do not count: those of a baseline, and those ignored with a reason. The verdict is that of the rest."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from prepcheck.app.locations import fingerprints, thing
from prepcheck.contract.report import Finding, Report, Summary
from prepcheck.engine.reporting import verdict_of
from prepcheck.errors import CorruptError, NotFoundError, PlanError, TooLargeError, UsageError, WrongKindError

MAX_BASELINE = 256 << 20
"""A report beyond 256 MiB is refused."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """One entry: findings of these rules (a prefix of the id), at this place if one is named, for this reason."""

    rule: str
    reason: str
    where: str | None = None

    def covers(self, f: Finding, report: Report) -> bool:
        """Whether it covers a finding. `where` is as the report writes it, or an input's or image's name."""
        if not f.rule.startswith(self.rule):
            return False
        return self.where is None or self.where in (f.where, thing(f.where, report).partition(".")[2])


def parse_reason(text: str) -> Ignored:
    """`ID=reason`. Raises UsageError without a reason."""
    rule, _, reason = text.partition("=")
    reason = reason.strip().strip("\"'").strip()
    if not reason:
        raise UsageError(f'--ignore {rule}=…: say why, --ignore {rule}="grey sensor: colour order has no meaning"')
    return Ignored(rule.strip().upper(), reason)


def read_ignores(path: str) -> list[Ignored]:
    """Entries of an ignore file: `ignore: [{rule: RS001, where: "inputs[0]", reason: "…"}]`.

    Raises PlanError (file:line:column) for an entry without a rule or a reason, and for an unknown key.
    """
    from prepcheck.contract.yamldoc import parse, read_text

    text = parse(read_text(path), path)
    entries = text.value.get("ignore") if isinstance(text.value, dict) else None
    if not isinstance(entries, list) or not isinstance(text.value, dict) or set(text.value) - {"ignore"}:
        raise PlanError(f'{path}: an ignore file is `ignore: [{{rule: RS001, reason: "…"}}, …]` and nothing else')
    found = []
    for i, entry in enumerate(entries):
        at = text.at(("ignore", i))
        if not isinstance(entry, dict) or set(entry) - {"rule", "where", "reason"}:
            raise PlanError(f"{at}: an entry has the keys rule, where and reason")
        rule, where, reason = entry.get("rule"), entry.get("where"), entry.get("reason")
        if not isinstance(rule, str) or not rule.strip():
            raise PlanError(f"{at}: `rule` is needed: an id (RS001) or the beginning of some (RS)")
        if not isinstance(reason, str) or not reason.strip():
            raise PlanError(f"{at}: `reason` is needed: why {rule} does not count here")
        if where is not None and not isinstance(where, str):
            raise PlanError(f"{at}: `where` is text, as the report writes it: inputs[0], or a file")
        found.append(Ignored(rule.strip().upper(), reason.strip(), where))
    return found


def read_baseline(path: str) -> Report:
    """An earlier report (`--format json`, or the last line of JSON Lines). Raises a named error for anything else."""
    try:
        if os.path.getsize(path) > MAX_BASELINE:
            raise TooLargeError(f"{path}: over {MAX_BASELINE} bytes; a report is smaller")
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise NotFoundError(f"--baseline {path}: cannot be read ({error.strerror})") from None
    value = _document(data, path)
    if not isinstance(value, dict) or value.get("schema") != "prepcheck/report/v1":
        raise WrongKindError(f"--baseline {path}: is no report of prepcheck; make one with --format json", kind="json")
    from pydantic import ValidationError

    try:
        return Report.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(p) for p in first["loc"])
        raise CorruptError(f"--baseline {path}: {place}: {first['msg']}") from None


def _document(data: bytes, path: str) -> object:
    try:
        text = data.decode("utf-8-sig")
        try:
            return json.loads(text)
        except ValueError:
            last = json.loads(text.rstrip().rpartition("\n")[2])
            return last.get("report") if isinstance(last, dict) else None
    except (ValueError, RecursionError):
        raise WrongKindError(f"--baseline {path}: is no JSON", kind="unknown") from None


def settle(report: Report, ignores: Sequence[Ignored], baseline: Report | None, baseline_name: str | None) -> Report:
    """The report without what is ignored or known; both are listed under `details`."""
    if report.error is not None or (not ignores and baseline is None):
        return report
    known = Counter(fingerprints(baseline)) if baseline is not None else Counter()
    grown = _counts(baseline) if baseline is not None else {}
    kept: list[Finding] = []
    ignored: list[dict[str, object]] = []
    old: list[dict[str, object]] = []
    used: set[int] = set()
    for f, mark in zip(report.findings, fingerprints(report), strict=True):
        entry = next((i for i, e in enumerate(ignores) if e.covers(f, report)), None)
        count = f.evidence.get("count")
        if entry is not None:
            used.add(entry)
            ignored.append({"rule": f.rule, "where": f.where, "message": f.message, "reason": ignores[entry].reason})
        elif mark in known and not (isinstance(count, int) and count > grown.get(mark, count)):
            old.append({"rule": f.rule, "where": f.where, "message": f.message})
        else:
            kept.append(f)
    details = dict(report.details)
    if ignores:
        details["ignored"] = ignored
        details["ignored_nothing"] = [e.rule for i, e in enumerate(ignores) if i not in used]
    if baseline is not None:
        gone = known - Counter(fingerprints(report))
        details["baseline"] = {"file": baseline_name, "known": old, "gone": sum(gone.values())}
    gone_loud = sum(f.severity != "info" for f in report.findings) - sum(f.severity != "info" for f in kept)
    s = report.summary
    return report.model_copy(
        update={
            "findings": kept,
            "details": details,
            "verdict": verdict_of(f.severity for f in kept),
            "scope": report.scope if any(f.severity != "info" for f in kept) else None,
            "summary": Summary.model_construct(passed=s.passed, failed=max(0, s.failed - gone_loud), unknown=s.unknown),
        }
    )


def _counts(report: Report) -> dict[str, int]:
    """Fingerprint → samples of a group, in a report of a sweep: more of them now are new."""
    found = {}
    for f, mark in zip(report.findings, fingerprints(report), strict=True):
        count = f.evidence.get("count")
        if isinstance(count, int):
            found[mark] = count
    return found
