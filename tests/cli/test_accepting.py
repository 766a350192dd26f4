"""Baselines and ignored findings: only new ones count, reasons are compulsory, unrelated renames change nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run import SAMPLES, prepcheck
from tests.sweep.pictures import SMALL, folder, save, texture

SEED = SAMPLES / "03_rv1106_zero_copy"
PLAN = (
    "prepcheck: plan/v1\nruntime: rknn\nplatform: rk3588\nmodel:\n  inputs:\n    - {name: x, layout: NHWC, shape: [1, 8, 8, 3], "
    "dtype: int8, scheme: affine, scale: 1.0, zero_point: -128}\nbuffers:\n  frame: {dtype: uint8, shape: [8, 8, 3], layout: HWC}\n"
    "calls:\n"
)
BAD = "  - {api: rknn_inputs_set, inputs: [{index: 0, buffer: frame, type: UINT8, fmt: NHWC, size: 12, pass_through: 0}]}\n"


def run(*arguments: object, code: int) -> dict[str, Any]:
    done = prepcheck(*arguments, "--format", "json")
    assert done.returncode == code, (done.stdout[:800], done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def rules(report: dict[str, Any]) -> list[str]:
    return [f["rule"] for f in report["findings"]]


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "p.yaml"
    path.write_text(PLAN + BAD + "  - {api: rknn_run}\n", encoding="utf-8")
    return path


@pytest.fixture
def baseline(plan: Path, tmp_path: Path) -> Path:
    path = tmp_path / "base.json"
    path.write_text(prepcheck("validate", "--plan", plan, "--format", "json").stdout, encoding="utf-8")
    return path


def test_known_findings_do_not_count(plan: Path, baseline: Path) -> None:
    assert rules(run("validate", "--plan", plan, code=1))[0] == "SZ007"
    found = run("validate", "--plan", plan, "--baseline", baseline, code=0)
    assert (found["verdict"], found["findings"], found["scope"]) == ("ok", [], None)
    assert found["summary"]["failed"] == 0
    assert "SZ007" in [k["rule"] for k in found["details"]["baseline"]["known"]]
    assert found["details"]["baseline"]["gone"] == 0
    text = prepcheck("validate", "--plan", plan, "--baseline", baseline, "-q").stdout
    assert text.splitlines()[-1] == f"baseline {baseline}: 1 known, 0 gone"


def test_a_new_finding_counts(plan: Path, baseline: Path) -> None:
    text = plan.read_text(encoding="utf-8")
    steps = "steps:\n  - decode: {color: RGB}\n  - normalize: {mean: [0, 0], std: [1, 1]}\ncalls:\n"
    plan.write_text(text.replace("calls:\n", steps), encoding="utf-8")
    found = run("validate", "--plan", plan, "--baseline", baseline, code=1)
    assert rules(found) == ["NM002"]
    assert [k["rule"] for k in found["details"]["baseline"]["known"]] == ["SZ007"]
    plan.write_text(text.replace("size: 12", "size: 192"), encoding="utf-8")
    assert run("validate", "--plan", plan, "--baseline", baseline, code=0)["details"]["baseline"]["gone"] == 1


def test_unrelated_changes_do_not_make_findings_new(plan: Path, baseline: Path, tmp_path: Path) -> None:
    moved = tmp_path / "renamed" / "other.yaml"
    moved.parent.mkdir()
    calls = "  - {api: rknn_init, flags: []}\n" + BAD.replace("size: 12", "size: 13") + "  - {api: rknn_run}\n"
    moved.write_text("# a comment\n" + (PLAN + calls).replace("frame", "picture"), encoding="utf-8")
    assert run("validate", "--plan", moved, "--baseline", baseline, code=0)["findings"] == []


def test_another_image_in_the_list_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(SMALL, tmp_path / "m.rknn")
    monkeypatch.chdir(tmp_path)
    for name in ("a.png", "z.png"):
        save(tmp_path / name, texture(1))
    (tmp_path / "z.png").write_bytes((tmp_path / "z.png").read_bytes())
    from PIL import Image

    Image.open("z.png").convert("RGBA").save("z.png")
    before = run("validate", "m.rknn", "z.png", code=0)
    assert [f["where"] for f in before["findings"]] == ["images[0]"]
    Path("base.json").write_text(json.dumps(before), encoding="utf-8")
    after = run("validate", "m.rknn", "a.png", "z.png", "--baseline", "base.json", code=0)
    assert after["findings"] == []
    assert len(after["details"]["baseline"]["known"]) == 1


def test_sweep_groups_that_grow_are_new(tmp_path: Path) -> None:
    pictures = folder(tmp_path / "p", 4)
    save(pictures / "wide.png", texture(9, (90, 20)))
    base = tmp_path / "base.jsonl"
    assert prepcheck("sweep", SMALL, pictures, "-j", "1", "--format", "jsonl", "-o", base).returncode == 0
    arguments = ["sweep", SMALL, pictures, "-j", "1", "--baseline", base]
    assert run(*arguments, "--strict", code=0)["findings"] == []
    save(pictures / "more.png", texture(8, (90, 20)))
    assert rules(run(*arguments, "--strict", code=1)) == ["RS001"]


def test_ignore_with_a_reason(plan: Path) -> None:
    found = run("validate", "--plan", plan, "--ignore", 'SZ007="the size is set later, in C"', code=0)
    assert "SZ007" not in rules(found)
    assert found["details"]["ignored"][0] | {"message": ""} == {
        "rule": "SZ007", "where": "calls[0]", "reason": "the size is set later, in C", "message": "",
    }  # fmt: skip
    text = prepcheck("validate", "--plan", plan, "--ignore", "SZ007=set in C", "--ignore", "RS=never").stdout
    assert text.splitlines()[-2:] == ["ignored: SZ007 calls[0] (set in C)", "ignored nothing, and can go: RS"]
    both = ["--ignore", "SZ=known", "--ignore", "NM,QT", "--ignore", "RS001=never here"]
    found = run("validate", "--plan", plan, *both, code=0)
    assert found["details"]["ignored_nothing"] == ["RS001"]


@pytest.mark.parametrize("given", ["SZ007=", "SZ007=''", "SZ007=  ", "ZZ001=why"])
def test_a_reason_is_compulsory(plan: Path, given: str) -> None:
    found = run("validate", "--plan", plan, "--ignore", given, code=2)
    assert found["error"]["code"] == "usage"


def test_ignore_file(plan: Path, tmp_path: Path) -> None:
    file = tmp_path / "ignore.yaml"
    file.write_text(
        'ignore:\n  - {rule: SZ007, where: "calls[0]", reason: set in C}\n  - {rule: NM, where: x, reason: no picture}\n',
        encoding="utf-8",
    )
    found = run("validate", "--plan", plan, "--ignore-file", file, code=0)
    assert next(i["reason"] for i in found["details"]["ignored"]) == "set in C"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ignore:\n  - {rule: SZ007}\n", "f.yaml:2:5: `reason` is needed"),
        ("ignore:\n  - {rule: SZ007, reason: ' '}\n", "f.yaml:2:5: `reason` is needed"),
        ("ignore:\n  - {reason: x}\n", "`rule` is needed"),
        ("ignore:\n  - {rule: A, reason: x, until: 2030}\n", "keys rule, where and reason"),
        ("rules: []\n", "an ignore file is"),
        ("- x\n", "an ignore file is"),
        ("ignore: [", "not valid YAML"),
    ],
)
def test_ignore_file_says_what_is_wrong(
    plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.yaml").write_text(text, encoding="utf-8")
    assert says in run("validate", "--plan", plan, "--ignore-file", "f.yaml", code=2)["error"]["message"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "wrong_kind"), (b"no", "wrong_kind"), (b"[]", "wrong_kind"), (b"\xff\xfe", "wrong_kind"), (b"[" * 100000, "wrong_kind"),
        (b'{"schema": "prepcheck/report/v1"}', "corrupt"),
        (b'{"schema": "prepcheck/report/v1", "version": "1", "verdict": "fine"}', "corrupt"),
    ],
)  # fmt: skip
def test_baseline_that_is_none(plan: Path, tmp_path: Path, content: bytes, code: str) -> None:
    (tmp_path / "b.json").write_bytes(content)
    assert run("validate", "--plan", plan, "--baseline", tmp_path / "b.json", code=2)["error"]["code"] == code


def test_missing_baseline(plan: Path) -> None:
    assert run("validate", "--plan", plan, "--baseline", "nowhere.json", code=2)["error"]["code"] == "not_found"
