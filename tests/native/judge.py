"""How the rules judge the recorded scenarios.

    python -m tests.native.judge [NAME ...]        a table: scenario, verdict, first findings, whether it is as expected

`judged` gives the same to tests. Expected verdicts and categories are in scenarios.json.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from prepcheck.app.validate import validate
from prepcheck.app.worlds import Request
from prepcheck.contract.plan import Plan
from prepcheck.readers.record import record_to_plan
from tests.native.conftest import SCENARIOS, Programs


@dataclass(frozen=True)
class Judged:
    """What the rules say of one record. findings: (rule, category, severity, where, message) of errors and warnings."""

    name: str
    verdict: str
    findings: tuple[tuple[str, str, str, str, str], ...]
    expected: Mapping[str, object]

    @property
    def right(self) -> bool:
        """Whether verdict and category are among the expected ones."""
        verdicts, categories = self.expected["verdicts"], self.expected["categories"]
        assert isinstance(verdicts, list)
        assert isinstance(categories, list)
        named = not categories or (bool(self.findings) and self.findings[0][1] in categories)
        return self.verdict in verdicts and named


def judged(programs: Programs, kind: str, name: str) -> Judged:
    """Record a scenario and judge its plan; kind: rknn or mnn."""
    recorded = record_to_plan(programs.record(name, mnn=kind == "mnn"))
    report = validate(Request(plan=Plan.model_validate(recorded.plan)))
    found = tuple((f.rule, f.category, f.severity, f.where, f.message) for f in report.findings if f.severity != "info")
    return Judged(name, report.verdict, found, SCENARIOS[kind][name])


def everything() -> Iterator[tuple[str, str]]:
    """Every scenario as (kind, name)."""
    for kind, scenarios in SCENARIOS.items():
        for name in scenarios:
            yield kind, name


def main() -> None:
    """Build, record, judge, print."""
    from tests.native import conftest

    wanted = set(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        programs = conftest.build_all(Path(folder))
        results = [judged(programs, k, n) for k, n in everything() if not wanted or n in wanted]
    for result in results:
        first = " | ".join(f"{r} {c} {w}: {m}" for r, c, _, w, m in result.findings[: 3 if wanted else 1])
        print(
            f"{'ok  ' if result.right else 'MISS'} {result.name:26} {result.verdict:8} {first[: 400 if wanted else 130]}"
        )
    print(f"{sum(r.right for r in results)} of {len(results)} as expected")


if __name__ == "__main__":
    try:
        main()
    except pytest.skip.Exception as missing:
        print(missing)
