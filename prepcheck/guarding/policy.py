"""What happens with a finding: raise, warn or call; and the switch that turns every guard off. Standard library only."""

from __future__ import annotations

import os
import threading
import warnings
from typing import TYPE_CHECKING

from prepcheck.errors import CheckFailed, UsageError
from prepcheck.guarding.finding import GuardReport

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prepcheck.guarding.finding import GuardFinding

    OnFail = str | Callable[[GuardFinding], object]


class GuardWarning(UserWarning):
    """A finding of a guard that lets the call go on."""


def switched_off() -> bool:
    """Whether the environment turns guards off: `PREPCHECK_GUARD=off` (also 0, false, no)."""
    return os.environ.get("PREPCHECK_GUARD", "").strip().lower() in ("off", "0", "false", "no")


class Policy:
    """Delivers findings. Errors follow `on_fail`; warnings are warned of, however often, only the 1st, 10th, 100th … time."""

    __slots__ = ("_counts", "_lock", "on_fail")

    def __init__(self, on_fail: OnFail) -> None:
        if on_fail not in ("raise", "warn") and not callable(on_fail):
            raise UsageError(f"on_fail is {on_fail!r}: 'raise', 'warn' or a callable that takes the finding")
        self.on_fail = on_fail
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, str, str], int] = {}

    def deliver(self, findings: Sequence[GuardFinding]) -> None:
        """Raise CheckFailed for the first error under `raise`; else warn or call for each finding and return."""
        order = sorted(findings, key=lambda f: f.severity != "error")
        for finding in order:
            times = self._count(finding)
            if callable(self.on_fail):
                self.on_fail(finding)
            elif self.on_fail == "raise" and finding.severity == "error":
                raise CheckFailed(str(finding), GuardReport(tuple(order)))
            elif str(times).strip("0") == "1":
                tail = "" if times == 1 else f"\n  ({times} times so far)"
                warnings.warn(str(finding) + tail, GuardWarning, stacklevel=5)

    def _count(self, finding: GuardFinding) -> int:
        key = (finding.rule, finding.where, finding.severity)
        with self._lock:
            if key not in self._counts and len(self._counts) >= 1024:
                return 2
            times = self._counts[key] = self._counts.get(key, 0) + 1
        return times

    def counts(self) -> dict[str, dict[str, int]]:
        """How often each rule spoke, by severity."""
        totals: dict[str, dict[str, int]] = {"error": {}, "warning": {}}
        with self._lock:
            for (rule, _, severity), times in sorted(self._counts.items()):
                of = totals.setdefault(severity, {})
                of[rule] = of.get(rule, 0) + times
        return totals
