"""`explain` from outside: exit codes, one report, what it says where it knows nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prepcheck.app.api import explain
from prepcheck.cli.main import main
from prepcheck.errors import UsageError

SIZES = "E RKNNAPI: rknn_inputs_set,  inputs[0].buf wrong, buf = 0x55d0, size = 32400 (min_size = 3240000)!"


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    with pytest.raises(SystemExit) as stop:
        main(["explain", *arguments, "--format", "json"])
    return int(stop.value.code or 0), json.loads(capsys.readouterr().out)


def test_an_error_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = _run(capsys, SIZES, "--shape", "1x3x120x90")
    assert (code, report["verdict"]) == (1, "error")


def test_nothing_known_is_ok_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = _run(capsys, "the weather is fine today and nothing else is here")
    assert (code, report["verdict"]) == (0, "ok")
    assert report["unknown"]


def test_no_text_is_exit_code_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "model.rknn"
    path.write_bytes(b"RKNN" + bytes(range(256)) * 40)
    code, report = _run(capsys, "--file", str(path))
    assert (code, report["verdict"]) == (2, "unjudged")


def test_sizes_alone(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = _run(capsys, "--got", "32400", "--want", "3240000")
    assert code == 1
    assert "100" in json.dumps(report["findings"])
    assert _run(capsys, "--got", "1")[0] == 2


def test_same_input_same_report() -> None:
    assert explain(SIZES).model_dump_json() == explain(SIZES).model_dump_json()
    assert explain([SIZES, SIZES]).findings[0].where == "log:1"


def test_lines_are_labelled() -> None:
    details = explain(SIZES + "\nE Exception: Set inputs failed. error code: RKNN_ERR_PARAM_INVALID").details
    assert [line["label"] for line in details["lines"]] == ["finding", "follow_up"]


def test_what_lines_clear() -> None:
    row = "[Input] images 1.00000 | 0.0 1.00000 | 0.0"
    assert any("picture" in r.what for r in explain(row).ruled_out)
    assert explain("E RKNN: rknn_inputs_set, context config invalid!").next_tests


def test_nothing_to_explain() -> None:
    with pytest.raises(UsageError):
        explain()
