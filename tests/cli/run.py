"""Run the command line in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "tests" / "data" / "models"
SAMPLES = ROOT / "samples"


def prepcheck(
    *arguments: object, stdin: str | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """The finished process of `prepcheck ARGUMENTS`."""
    argv = [sys.executable, "-m", "prepcheck", *(str(a) for a in arguments)]
    return subprocess.run(argv, input=stdin, capture_output=True, text=True, cwd=cwd or ROOT, check=False, timeout=60)


def report(*arguments: object, code: int | None = None) -> dict[str, Any]:
    """The JSON report of a command; `code` is the exit code it must have."""
    done = prepcheck(*arguments, "--format", "json")
    if code is not None:
        assert done.returncode == code, (done.returncode, done.stdout[:2000], done.stderr[:2000])
    assert "Traceback" not in done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found
