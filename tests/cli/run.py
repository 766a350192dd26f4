"""Run the command line: in this process (fast), or in one of its own (start-up, streams, exit)."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prepcheck.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "tests" / "data" / "models"
SAMPLES = ROOT / "samples"


@dataclass(frozen=True)
class Done:
    """What a command left."""

    returncode: int
    stdout: str
    stderr: str


def prepcheck(*arguments: object, cwd: Path | None = None) -> Done:
    """`prepcheck ARGUMENTS`, in this process."""
    out, err = io.StringIO(), io.StringIO()
    before = Path.cwd()
    code = 0
    try:
        if cwd is not None:
            os.chdir(cwd)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main([str(a) for a in arguments])
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else 1
    finally:
        os.chdir(before)
    return Done(code, out.getvalue(), err.getvalue())


def process(
    *arguments: object, stdin: str | None = None, cwd: Path | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The finished process of `python -m prepcheck ARGUMENTS`."""
    argv = [sys.executable, "-m", "prepcheck", *(str(a) for a in arguments)]
    return subprocess.run(
        argv, input=stdin, capture_output=True, text=True, cwd=cwd or ROOT, check=False, timeout=60,
        env={**os.environ, **(env or {})},
    )  # fmt: skip


def report(*arguments: object, code: int | None = None) -> dict[str, Any]:
    """The JSON report of a command; `code` is the exit code it must have."""
    done = prepcheck(*arguments, "--format", "json")
    if code is not None:
        assert done.returncode == code, (done.returncode, done.stdout[:2000], done.stderr[:2000])
    assert "Traceback" not in done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found
