"""A sample of the correct combinations; `python -m tests.agreement.right` runs thousands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agreement.right import alarms, combinations, harmless


def test_right_combinations_raise_no_alarm(tmp_path: Path) -> None:
    found = [(name, alarms(report)) for name, report in combinations(60, 7, tmp_path)]
    assert len(found) == 60
    assert [pair for pair in found if pair[1]] == []


def test_harmless_lines_raise_no_alarm() -> None:
    found = [(name, alarms(report)) for name, report in harmless()]
    assert len(found) >= 40
    assert [pair for pair in found if pair[1]] == []


@pytest.mark.slow
def test_thousands(tmp_path: Path) -> None:
    assert [(n, a) for n, r in combinations(3200, 1, tmp_path) if (a := alarms(r))] == []
