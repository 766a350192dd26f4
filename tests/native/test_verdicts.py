"""Recorded programs judged as plans: verdict and category are those that the scenario expects."""

from __future__ import annotations

import pytest

from prepcheck.app.validate import validate
from prepcheck.app.worlds import Request
from tests.native.conftest import SCENARIOS, Programs


@pytest.mark.native
@pytest.mark.parametrize("name", sorted(SCENARIOS["rknn"]))
def test_verdict_of_a_recorded_program(programs: Programs, name: str) -> None:
    as_expected(programs, name, "rknn")


@pytest.mark.native
@pytest.mark.parametrize("name", sorted(SCENARIOS["mnn"]))
def test_verdict_of_a_recorded_mnn_program(programs: Programs, name: str) -> None:
    as_expected(programs, name, "mnn")


def as_expected(programs: Programs, name: str, kind: str) -> None:
    expected = SCENARIOS[kind][name]
    report = validate(Request(plan=programs.record(name, mnn=kind == "mnn")))
    loud = [f for f in report.findings if f.severity != "info"]
    told = [f"{f.rule} {f.severity} {f.category}: {f.message}" for f in loud]
    verdicts, categories = expected["verdicts"], expected["categories"]
    assert isinstance(verdicts, list)
    assert isinstance(categories, list)
    assert report.verdict in verdicts, told
    assert not categories or (loud and loud[0].category in categories), told
