"""Recorded programs judged as plans: verdict and category are those that the scenario expects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prepcheck.app.validate import validate
from prepcheck.app.worlds import Request
from prepcheck.contract.contract import Contract
from tests.cli.run import MODELS, prepcheck, report
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


@pytest.mark.native
@pytest.mark.parametrize(("name", "code"), [("zero_right_odd", 0), ("zero_tight_rows", 1), ("set_on_mini", 1)])
def test_record_on_the_command_line(programs: Programs, name: str, code: int) -> None:
    told = report("validate", "--plan", programs.record(name), code=code)
    assert told["subject"]["plan"].endswith(f"{name}.pcrec")
    text = prepcheck("validate", "--plan", programs.record(name)).stdout
    assert all(f["rule"] in text for f in told["findings"])


@pytest.mark.native
def test_record_beside_the_model_file(programs: Programs) -> None:
    """The file is what counts; a program that ran another model is told so."""
    own = json.loads(prepcheck("export", "--plan", programs.record("set_right"), "--to", "contract").stdout)
    same = Contract.model_validate(own)
    right = validate(Request(model=same, plan=programs.record("set_right")))
    assert right.verdict == "ok", right.findings
    other = report(
        "validate", MODELS / "rknn" / "rk3588_gray_w33_i8.rknn", "--plan", programs.record("set_right"), code=1
    )
    assert other["findings"][0]["rule"] == "CT045"
    assert other["subject"]["model"].endswith("rk3588_gray_w33_i8.rknn")


@pytest.mark.native
def test_record_that_is_cut_or_empty(programs: Programs, tmp_path: Path) -> None:
    """What is left of a record is judged; a record with nothing in it is not."""
    whole = programs.record("zero_tight_rows").read_bytes()
    cut = tmp_path / "cut.pcrec"
    cut.write_bytes(whole[: len(whole) * 9 // 10])
    assert report("validate", "--plan", cut)["verdict"] in ("error", "warning", "ok")
    cut.write_bytes(whole[:8])
    assert report("validate", "--plan", cut, code=2)["verdict"] == "unjudged"


@pytest.mark.native
def test_a_wrong_index_in_a_record_is_the_programs_fault(programs: Programs) -> None:
    """The same index in a plan would be the plan's error (exit code 2)."""
    assert report("validate", "--plan", programs.record("set_swapped"), code=1)["verdict"] == "error"
