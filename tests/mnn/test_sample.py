"""Sample 01: its commands run, its plans are judged as the README says, and the real MNN agrees with the verdicts."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.run import SAMPLES, prepcheck, report

SAMPLE = SAMPLES / "01_mnn_ostrack_gpu"
README = (SAMPLE / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line.partition(" ||")[0]
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("prepcheck ")
]
needs_mnn = pytest.mark.skipif(importlib.util.find_spec("MNN") is None, reason="MNN is not installed")


def packs_by_eight() -> bool:
    """Whether this CPU makes MNN's store differ from a plain one in a way that this test knows."""
    cpu = Path("/proc/cpuinfo")
    return cpu.is_file() and " avx2" in cpu.read_text(encoding="utf-8", errors="replace")


def track(plan: str) -> str:
    """What track.py prints, in a process of its own: MNN may crash."""
    done = subprocess.run(
        [sys.executable, "track.py", plan], cwd=SAMPLE, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "01"
    shutil.copytree(SAMPLE, folder)
    return folder


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 8


@needs_mnn
@pytest.mark.parametrize("line", COMMANDS)
def test_command(line: str, copy: Path) -> None:
    done = prepcheck(*shlex.split(line)[1:], cwd=copy)
    assert done.returncode in (0, 1), done.stderr
    assert done.stderr == ""


def test_explained() -> None:
    found = report("explain", "--file", SAMPLE / "backendtest.txt", "--file", SAMPLE / "config.cpp.txt", code=1)
    assert found["scope"] == "device"
    first = found["findings"][0]
    assert "49152" in first["message"]
    assert "768" in first["explanation"]
    assert "3 0.05 1 65" in found["next_tests"][0]["do"]
    texts = " ".join(f["message"] + f["explanation"] for f in found["findings"])
    for words in ("numThread", "65472", "302"):
        assert words in texts
    assert "copyFromHostTensor" in " ".join(r["what"] for r in found["ruled_out"])


@pytest.mark.parametrize(
    ("plan", "code", "rules"),
    [
        ("wrong", 1, {"MN001", "MN004", "MN042"}), ("right", 0, set()), ("host_pointer_cpu", 1, {"MN002"}),
        ("image_limit", 1, {"MN046"}), ("buffer_memory", 0, set()),
    ],
)  # fmt: skip
def test_judged(plan: str, code: int, rules: set[str]) -> None:
    found = report("validate", "--plan", SAMPLE / f"{plan}.yaml", code=code)
    assert {f["rule"] for f in found["findings"] if f["severity"] != "info"} == rules


def test_image_limit_is_predicted() -> None:
    first = report("validate", "--plan", SAMPLE / "image_limit.yaml", code=1)["findings"][0]
    assert (first["evidence"]["width"], first["evidence"]["height"]) == (3, 49152)
    assert first["evidence"]["buffer"] == 65


@needs_mnn
def test_right_plan_is_right() -> None:
    lines = [line for line in track("right.yaml").splitlines() if line.startswith("run ")]
    assert len(lines) == 2
    assert all(" right, " in line for line in lines)


@needs_mnn
@pytest.mark.parametrize("plan", ["wrong.yaml", "host_pointer_cpu.yaml"])
@pytest.mark.skipif(not packs_by_eight(), reason="the packed store was measured with AVX2")
def test_faults_show_on_the_cpu(plan: str) -> None:
    printed = track(plan)
    assert "runSession: 0" in printed
    assert "run 1: WRONG" in printed
