"""SARIF against the official schema, JUnit by a parser of its own, workflow commands; a place for every finding."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from prepcheck.render.sarif import uri
from tests.cli.run import MODELS, ROOT, SAMPLES, prepcheck
from tests.sweep.pictures import SMALL, folder

SCHEMA = json.loads((ROOT / "tests/data/sarif/sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
VALIDATOR = Draft4Validator(SCHEMA)
SEED = SAMPLES / "03_rv1106_zero_copy"
RUNS: dict[str, tuple[list[object], int]] = {
    "plan with errors": (["validate", "--plan", SEED / "pixels_as_int8.yaml"], 1),
    "right plan": (["validate", "--plan", SEED / "right.yaml"], 0),
    "image": (["validate", SEED / "model.rknn", SEED / "square.jpg"], 0),
    "log": (["explain", "--file", SAMPLES / "02_rv1126_batch100" / "error.txt"], 1),
    "text": (["explain", "E RKNN: rknn_set_io_mem, input(in0) memory size must be: 11520, but is: 10080"], 1),
    "contract": (["inspect", MODELS / "rknn" / "rv1106_batch4_ignored_i8.rknn"], 0),
    "no model": (["validate", "nowhere.rknn"], 2),
    "foreign": (["inspect", MODELS / "rknn_bad" / "png.rknn"], 2),
    "usage": (["validate", SEED / "model.rknn", "--select", "ZZ999"], 2),
}


def sarif(*arguments: object, code: int) -> dict[str, Any]:
    done = prepcheck(*arguments, "--format", "sarif")
    assert done.returncode == code, (done.stdout[:500], done.stderr)
    log: dict[str, Any] = json.loads(done.stdout)
    problems = [f"{list(e.path)}: {e.message[:200]}" for e in VALIDATOR.iter_errors(log)]
    assert problems == []
    assert len(log["runs"]) == 1
    for result in log["runs"][0]["results"]:
        assert result["level"] in ("error", "warning")
        (location,) = result["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"]
        assert location["physicalLocation"]["region"]["startLine"] >= 1
        assert log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert re.fullmatch(r"[0-9a-f]{32}", result["partialFingerprints"]["prepcheck/v1"])
    return log


@pytest.mark.parametrize("name", sorted(RUNS))
def test_sarif(name: str) -> None:
    arguments, code = RUNS[name]
    log = sarif(*arguments, code=code)
    run = log["runs"][0]
    assert bool([r for r in run["results"] if r["level"] == "error"]) == (code == 1)
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] == (code != 2)
    if code == 2:
        assert run["results"] == []
        assert invocation["toolExecutionNotifications"][0]["level"] == "error"


@pytest.mark.parametrize("name", sorted(RUNS))
def test_junit(name: str, tmp_path: Path) -> None:
    junitparser = pytest.importorskip("junitparser", reason="junitparser is not installed (part of the test extra)")
    arguments, code = RUNS[name]
    done = prepcheck(*arguments, "--format", "junit")
    assert done.returncode == code
    (tmp_path / "r.xml").write_text(done.stdout, encoding="utf-8")
    parsed = junitparser.JUnitXml.fromfile(str(tmp_path / "r.xml"))
    cases = [case for suite in parsed for case in suite]
    failed = [c for c in cases if any(isinstance(r, junitparser.Failure) for r in c.result)]
    erred = [c for c in cases if any(isinstance(r, junitparser.Error) for r in c.result)]
    assert (bool(failed), bool(erred)) == (code == 1, code == 2)
    assert (parsed.tests, parsed.failures, parsed.errors) == (len(cases), len(failed), len(erred))
    skipped = [c for c in cases if any(isinstance(r, junitparser.Skipped) for r in c.result)]
    report = json.loads(prepcheck(*arguments, "--format", "json").stdout)
    assert len(skipped) == len(report["unknown"]) == parsed.skipped
    assert len(failed) == sum(f["severity"] == "error" for f in report["findings"])


def test_strict_warnings_fail_in_junit_too() -> None:
    plain = prepcheck("validate", SEED / "model.rknn", SEED / "square.jpg", "--format", "junit")
    strict = prepcheck("validate", SEED / "model.rknn", SEED / "square.jpg", "--format", "junit", "--strict")
    assert (plain.returncode, strict.returncode) == (0, 1)
    assert "<failure" not in plain.stdout
    assert "<failure" in strict.stdout


def test_github() -> None:
    done = prepcheck("validate", "--plan", SEED / "pixels_as_int8.yaml", "--format", "github")
    *lines, last = done.stdout.splitlines()
    assert lines
    for line in lines:
        assert re.match(r"::(error|warning) file=[^,:]+,line=\d+,title=[A-Z]{2}\d{3} [^,]*::.", line), line
    assert last.startswith("::notice title=prepcheck::error: ")
    refused = prepcheck("validate", "nowhere.rknn", "--format", "github")
    assert (refused.returncode, refused.stdout.count("::error ")) == (2, 1)


def test_places_are_lines_of_the_plan(tmp_path: Path) -> None:
    plan = tmp_path / "p.yaml"
    plan.write_text(
        "prepcheck: plan/v1\nruntime: rknn\nmodel:\n  inputs:\n    - {name: x, layout: NHWC, shape: [1, 8, 8, 3], dtype: int8,\n"
        "       scheme: affine, scale: 1.0, zero_point: -128}\nbuffers:\n  frame: {dtype: uint8, shape: [8, 8, 3], layout: HWC}\n"
        "steps:\n  - decode: {color: RGB}\n  - normalize:\n      mean: [0, 0]\n      std: [1, 1]\ncalls:\n"
        "  - {api: rknn_run}\n  - {api: rknn_inputs_set, inputs: [{index: 0, buffer: frame, type: UINT8, fmt: NHWC, size: 12, pass_through: 0}]}\n",
        encoding="utf-8",
    )
    log = sarif("validate", "--plan", plan, code=1)
    lines = {
        r["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]: r["locations"][0]["physicalLocation"]["region"]["startLine"]
        for r in log["runs"][0]["results"]
    }  # fmt: skip
    assert lines == {"calls[1]": 16, "inputs[0]": 5}


def test_places_of_a_log_are_its_lines(tmp_path: Path) -> None:
    log = tmp_path / "b.log"
    log.write_text("hello\n\nE RKNN: rknn_set_io_mem, input(in0) memory size must be: 11520, but is: 10080\n", "utf-8")
    results = sarif("explain", "--file", log, code=1)["runs"][0]["results"]
    places = [r["locations"][0]["physicalLocation"] for r in results]
    assert places[0]["artifactLocation"]["uri"] == f"file://{log}"
    assert places[0]["region"]["startLine"] == 3


def test_sweep_as_sarif(tmp_path: Path) -> None:
    folder(tmp_path, 3, size=(90, 20))
    (tmp_path / "bad.png").write_bytes(b"")
    results = sarif("sweep", SMALL, tmp_path, "-j", "1", code=1)["runs"][0]["results"]
    places = {r["ruleId"]: r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    assert places == {"IM001": f"file://{tmp_path}/bad.png", "RS001": f"file://{tmp_path}/000.png"}


def test_uris() -> None:
    assert uri("a b/ü%.png") == "a%20b/%C3%BC%25.png"
    assert uri("/x/y.png") == "file:///x/y.png"
    assert uri("C:\\x\\y.png") == "file:///C:/x/y.png"
    assert uri("..\\y.png") == "../y.png"
    assert uri("we:ird.png") == "we%3Aird.png"


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    name = "x\x1b[31m\u202e<&\"'>\ufffe.png"
    (tmp_path / name).write_bytes(b"nothing")
    folder(tmp_path, 1)
    for format_ in ("sarif", "junit", "github"):
        done = prepcheck("sweep", SMALL, tmp_path, "-j", "1", "--format", format_)
        assert done.returncode == 1
        assert "\x1b" not in done.stdout
        assert "\u202e" not in done.stdout
    from xml.etree import ElementTree as ET

    ET.fromstring(prepcheck("sweep", SMALL, tmp_path, "-j", "1", "--format", "junit").stdout)
