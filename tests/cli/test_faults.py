"""Faults around the program: closed pipes, full disks, files where folders are wanted, no network, a rule that raises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.run import MODELS, SAMPLES, prepcheck, process, report

MODEL = SAMPLES / "03_rv1106_zero_copy" / "model.rknn"
STREET = SAMPLES / "03_rv1106_zero_copy" / "street.jpg"


def test_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m prepcheck rules | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert done.stdout.startswith("CL")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_full_disk_is_said() -> None:
    with open("/dev/full", "w") as full:
        argv = [sys.executable, "-m", "prepcheck", "validate", str(MODEL), str(STREET)]
        done = subprocess.run(argv, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr
    found = prepcheck("init", MODEL, "-o", "/dev/full", "--force")
    assert found.returncode == 2
    assert "cannot be written" in found.stderr


def test_a_file_where_a_folder_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x", encoding="utf-8")
    done = prepcheck("init", MODEL, "-o", tmp_path / "f" / "plan.yaml")
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


def test_nothing_is_replaced_unasked(tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("mine\n", encoding="utf-8")
    assert prepcheck("init", MODEL, "-o", plan).returncode == 2
    assert plan.read_text(encoding="utf-8") == "mine\n"
    assert prepcheck("init", MODEL, "-o", plan, "--force").returncode == 0
    assert list(tmp_path.iterdir()) == [plan]


def test_no_network(tmp_path: Path) -> None:
    """The whole command line with sockets forbidden."""
    (tmp_path / "sitecustomize.py").write_text(
        "import socket\ndef no(*a, **k):\n    raise RuntimeError('network')\nsocket.socket.connect = no\nsocket.getaddrinfo = no\n",
        encoding="utf-8",
    )
    environment = {"PYTHONPATH": str(tmp_path)}
    for arguments in (
        ("validate", MODEL, STREET),
        ("inspect", MODEL),
        ("rules",),
        ("explain", "--got", "32400", "--want", "3240000"),
        ("init", MODEL),
    ):
        done = process(*arguments, env=environment)
        assert done.returncode in (0, 1), done.stderr
        assert "network" not in done.stderr


def test_a_rule_that_raises_is_a_bug_with_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    import dataclasses

    from prepcheck.engine import loading
    from prepcheck.registry import RULES

    loading.load(("rs",))

    def broken(**_: object) -> list[object]:
        raise ValueError("boom")

    monkeypatch.setitem(RULES, "RS001", dataclasses.replace(RULES["RS001"], check=broken))
    found = report("validate", MODEL, STREET, code=2)
    assert found["verdict"] == "unjudged"
    assert "RS001" in found["error"]["message"]
    assert "boom" in found["error"]["message"]


def test_no_terminal_no_colour_and_no_locale_in_json() -> None:
    done = process("validate", MODEL, STREET, env={"LANG": "zh_CN.UTF-8", "LC_ALL": "zh_CN.UTF-8"})
    assert "\x1b" not in done.stdout
    assert "hand over" in done.stdout
    english = process("validate", MODEL, STREET, "--format", "json", env={"LC_ALL": "zh_CN.UTF-8"}).stdout
    assert english == process("validate", MODEL, STREET, "--format", "json", env={"LC_ALL": "C"}).stdout
    json.loads(english)


@pytest.mark.parametrize("name", sorted(p.name for p in (MODELS / "rknn_bad").glob("*.rknn")))
def test_bad_models_never_trace(name: str) -> None:
    done = prepcheck("validate", MODELS / "rknn_bad" / name, STREET, "--format", "json")
    assert done.returncode in (0, 2)
    document = json.loads(done.stdout)
    assert "bug" not in (document["error"] or {}).get("message", "")


@pytest.mark.parametrize(
    "text",
    ["", "a", "- 1\n- 2\n", "prepcheck: plan/v2\n", "prepcheck: plan/v1\ncalls: 3\n", "{", "prepcheck: plan/v1\nx: &a 1\n",
     "prepcheck: plan/v1\nbuffers: {b: {shape: [1e999]}}\n", "prepcheck: plan/v1\nsteps: [{scale: {by: .nan}}]\n",
     "prepcheck: plan/v1\n" + "a" * 2_000_000, "\x00\x01", "prepcheck: plan/v1\nbuffers: {b: {size: 99999999999999999999999999}}\n"],
)  # fmt: skip
def test_bad_plans_never_trace(text: str, tmp_path: Path) -> None:
    plan = tmp_path / "p.yaml"
    plan.write_text(text, encoding="utf-8")
    done = prepcheck("validate", "--plan", plan, "--format", "json")
    assert done.returncode in (0, 1, 2)
    document = json.loads(done.stdout)
    assert "bug" not in (document["error"] or {}).get("message", ""), document["error"]
