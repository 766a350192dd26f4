"""Which rules are run, what counts of what they find, and the exit code: --strict, --select, --ignore, --baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepcheck.errors import ExitCode, UsageError
from prepcheck.records import dataclass

if TYPE_CHECKING:
    from prepcheck.contract.report import Report


@dataclass(frozen=True, slots=True)
class Judging:
    """The options of one command line. select, ignore: beginnings of rule ids. reasons: `ID=why`, whose findings are listed
    as ignored. baseline: an earlier report; only what is not in it counts."""

    strict: bool
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    reasons: tuple[str, ...]
    ignore_file: str | None
    baseline: str | None

    def settle(self, report: Report) -> Report:
        """The report without what is in the baseline or ignored with a reason: the one that is shown and decides."""
        if not (self.reasons or self.ignore_file or self.baseline):
            return report
        from prepcheck.app.accepting import parse_reason, read_baseline, read_ignores, settle

        entries = [parse_reason(r) for r in self.reasons]
        for entry in entries:
            ids(entry.rule)  # an id that no rule has is a slip, and said to be one
        entries += read_ignores(self.ignore_file) if self.ignore_file else []
        return settle(report, entries, read_baseline(self.baseline) if self.baseline else None, self.baseline)

    def exit_code(self, report: Report) -> int:
        """The exit code of a settled report."""
        return exit_code(report, self.strict)


def ids(text: str) -> tuple[str, ...]:
    """A comma list of rule ids or their beginnings. Raises UsageError for what no rule begins with."""
    from prepcheck.engine.loading import rule_files

    found = tuple(part.strip().upper() for part in text.split(",") if part.strip())
    for part in found:
        if not any(key.startswith(part) for key in rule_files()):
            from difflib import get_close_matches

            near = get_close_matches(part, list(rule_files()), n=1)
            hint = f"; did you mean {near[0]}?" if near else "; `prepcheck rules` lists them"
            raise UsageError(f"no rule begins with {part}{hint}")
    return found


def exit_code(report: Report, strict: bool) -> int:
    """0 no error, 1 an error (with --strict a warning too), 2 unjudged."""
    if report.verdict == "unjudged":
        return int(ExitCode.UNJUDGED)
    if report.verdict == "error" or (strict and report.verdict == "warning"):
        return int(ExitCode.ERROR)
    return int(ExitCode.OK)
