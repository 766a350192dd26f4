"""Where a finding is in the user's files: plan and line, image, list, log, else the model. Always some file and line."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence

from prepcheck.app.rules import read_page, with_sources
from prepcheck.contract.report import Finding, Report
from prepcheck.engine.loading import rule_files
from prepcheck.errors import PrepcheckError
from prepcheck.render.located import Located, Place, RulePage

_PART = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
_PLAN = (
    "steps",
    "calls",
    "buffers",
    "session",
    "model",
    "postprocess",
    "observations",
    "device",
    "platform",
    "version",
)
_LOG = re.compile(r"log(?::(.*))?:(\d+)\Z|log:(\d+)\Z")


def located(report: Report) -> Located:
    """The report with the place and the fingerprint of every finding."""
    finder = _Finder(report)
    return Located(
        report=report,
        places=[finder.place(f) for f in report.findings],
        fingerprints=fingerprints(report),
        pages={f.rule: _page(f.rule, f) for f in report.findings if f.severity != "info"},
        subject=finder.fallback,
    )


def _page(rule: str, finding: Finding) -> RulePage:
    path = rule_files().get(rule)
    if path is None:  # a plugin's rule
        return RulePage(rule, rule.lower(), finding.message, finding.explanation, finding.severity, finding.category)
    page = read_page(path)
    return RulePage(page.id, page.name, page.title, with_sources(page), page.severity, page.category)


class _Finder:
    def __init__(self, report: Report) -> None:
        subject = report.subject
        self.report = report
        self.log = subject.log
        self.images = list(subject.images)
        self.plan = subject.plan
        self._positions: dict[tuple[str | int, ...], tuple[int, int]] | None = None
        known = [subject.plan, subject.model, *subject.images, *subject.buffers.values(), subject.log]
        self.fallback = Place(next((path for path in known if path), "input"))

    def place(self, f: Finding) -> Place:
        log = _LOG.match(f.where)
        if log is not None and self.log:
            return Place(self.log, int(log[2] or log[3]))
        head = f.where.partition(".")[0].partition("[")[0]
        if head == "images" and self.images:
            position = re.search(r"[\[:](\d+)", f.where)
            index = int(position[1]) if position else 0
            return Place(self.images[index] if index < len(self.images) else self.images[0])
        if head == "samples" or "samples" in f.evidence:
            return self._sample(f)
        if head in ("inputs", "outputs") and self.report.subject.model and not self._line(("model", head)):
            return Place(self.report.subject.model)
        if head == "buffers" and not self._line(_path(f.where)):
            file = self.report.subject.buffers.get(f.where.partition(".")[2])
            if file:
                return Place(file)
        line = self._line(("model", *_path(f.where)) if head in ("inputs", "outputs") else _path(f.where))
        if self.plan and (line or head in _PLAN):
            return Place(self.plan, line or 1)
        return Place(self.report.subject.model or self.fallback.path)

    def _sample(self, f: Finding) -> Place:
        line = f.evidence.get("line")
        if isinstance(line, int) and self.images:
            return Place(self.images[0], line)
        named = f.evidence.get("samples") or [f.evidence.get("name")]
        first = named[0] if isinstance(named, list) and named else None
        return Place(first if isinstance(first, str) and first else (self.images or [self.fallback.path])[0])

    def _line(self, path: Sequence[str | int]) -> int | None:
        """The line of the plan where the nearest known part of a path stands; None where no part of it does."""
        if self._positions is None:
            self._positions = _positions(self.plan)
        for end in range(len(path), 0, -1):
            found = self._positions.get(tuple(path[:end]))
            if found is not None:
                return found[0]
        return None


def _positions(plan: str | None) -> dict[tuple[str | int, ...], tuple[int, int]]:
    """Line and column of every key of a plan document; nothing for a record or a plan that came as an object."""
    if plan is None or not plan.lower().endswith((".yaml", ".yml", ".json")):
        return {}
    from prepcheck.contract.yamldoc import parse, read_text

    try:
        return dict(parse(read_text(plan), plan).positions)
    except PrepcheckError:
        return {}


def _path(where: str) -> tuple[str | int, ...]:
    return tuple(int(number) if number else name for name, number in _PART.findall(where))


def fingerprints(report: Report) -> list[str]:
    """One for each finding: the same as long as rule, fault and thing are the same.

    Things go by their names: an input by its name, an image by its path; numbers of steps, calls and lines do not count,
    nor do the words and numbers of the message. So a renamed plan, a step put in before, another picture in the list
    change nothing. The second finding of the same kind has another fingerprint than the first.
    """
    seen: Counter[str] = Counter()
    found = []
    for f in report.findings:
        base = "\0".join((f.rule, f.fault or "", thing(f.where, report)))
        seen[base] += 1
        found.append(hashlib.sha256(f"{base}\0{seen[base]}".encode("utf-8", "surrogateescape")).hexdigest()[:32])
    return found


def thing(where: str, report: Report) -> str:
    """What a finding is about, without positions that change when something else does."""
    contract, images = report.contract, report.subject.images
    match = re.match(r"(inputs|outputs|images)[\[:](\d+)\]?", where)
    if match is not None:
        index, rest = int(match[2]), where[match.end() :]
        if match[1] == "images":
            return f"images.{images[index] if index < len(images) else ''}{rest}"
        tensors = (contract.inputs if match[1] == "inputs" else contract.outputs) if contract is not None else []
        name = tensors[index].name if index < len(tensors) else None
        return f"{match[1]}.{name or index}{rest}"
    return re.sub(r"\[\d+\]|:\d+", "", where)
