"""Every command of samples/05_guard_python/README.md, in its order, in a copy of the folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("MNN", reason="MNN is not installed")

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "05_guard_python"
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", (SAMPLE / "README.md").read_text(encoding="utf-8"), re.S)
    for line in block.splitlines()
    if line and not line.startswith("pip ")
]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    folder = tmp_path_factory.mktemp("sample") / "05"
    shutil.copytree(SAMPLE, folder)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {k: v for k, v in os.environ.items() if k != "PREPCHECK_GUARD"} | {"PATH": path}
    environment["PYTHONPATH"] = str(SAMPLE.parents[1])
    found = {}
    for command in COMMANDS:
        done = subprocess.run(
            command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        found[command] = (done.returncode, done.stdout + done.stderr)
    return found


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 8


@pytest.mark.parametrize("command", COMMANDS)
def test_command_works(command: str, outputs: dict[str, tuple[int, str]]) -> None:
    code, text = outputs[command]
    assert code == 0, text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("python live.py", ["9 of 9 faults stopped before the run", "300 right frames: 300 runs checked, findings {}"]),
        ("python live.py consumed", ["1 of 1 faults stopped", "GD042"]),
        ("python stream.py", ["100 times the same scene: nothing to say", "GD027"]),
        ("python plain_guard.py saved.npy || echo \"saved.npy is not what plain.mnn wants\"", ["GD003", "is not what"]),
        ("PREPCHECK_GUARD=off python live.py consumed || echo \"nobody stopped it\"", ["nothing was said", "nobody stopped"]),
    ],
)  # fmt: skip
def test_it_says_what_the_text_promises(command: str, words: list[str], outputs: dict[str, tuple[int, str]]) -> None:
    for word in words:
        assert word in outputs[command][1], outputs[command][1]
