"""The programs that are recorded unmodified, and what a report on each record must name. Data and helpers for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
MODELS = HERE.parent / "data" / "models" / "mnn"
RKNN_PYTHON = os.environ.get("PREPCHECK_RKNN_PYTHON", "")


@dataclass(frozen=True)
class Expected:
    """categories: empty for a right program; else the first finding of `severity` must be of one of them.

    severity: `warning` for what is wrong on a board and right in the simulator, where the program ran.
    """

    name: str
    model: str
    categories: tuple[str, ...]
    severity: str


def expected(prefix: str) -> list[Expected]:
    """The programs whose names begin with `mnn` or `rknn`."""
    data = json.loads((PROGRAMS / "expected.json").read_text(encoding="utf-8"))
    return [
        Expected(n, e["model"], tuple(e["categories"]), e.get("severity", "error"))
        for n, e in data.items()
        if n.startswith(prefix)
    ]


def record_all(prefix: str, out: Path) -> None:
    """Run and record the programs of one runtime in one child process; each gets a folder under `out`."""
    python, argument = sys.executable, str(MODELS)
    if prefix == "rknn":
        python, argument = RKNN_PYTHON, str(out / "onnx")
        (out / "onnx").mkdir()
        subprocess.run([python, str(PROGRAMS / "make_onnx.py"), argument], check=True, capture_output=True, timeout=300)
    scripts = [str(PROGRAMS / f"{e.name}.py") for e in expected(prefix)]
    done = subprocess.run(
        [python, str(HERE / "record_child.py"), str(out), argument, *scripts],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
