"""The guard over the real MNN: 45 faults stopped (20 seeds each), right programs let through with the same answers."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("MNN", reason="MNN is not installed")

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def names(file: str) -> list[str]:
    """The scenarios of a file, read without importing MNN into this process."""
    for node in ast.parse((HERE / file).read_text(encoding="utf-8")).body:
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and node.target.id in ("FAULTS", "RIGHT")
        ):
            iterable = node.value.generators[0].iter  # type: ignore[union-attr]
            items = [e.elts[0] if isinstance(e, ast.Tuple) else e for e in iterable.elts]  # type: ignore[attr-defined]
            return [item.id for item in items if isinstance(item, ast.Name)]
    raise AssertionError(file)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("mnn") / "results.jsonl"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PREPCHECK_GUARD", None)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.guarding.mnn_child", str(path), "20"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found = {item["name"]: item for item in map(json.loads, lines)}
    found["process"] = {"code": done.returncode, "tail": done.stderr[-2000:]}
    return found


@pytest.mark.parametrize("name", [*names("mnn_faults.py"), *names("mnn_block_faults.py")])
def test_fault_is_stopped(name: str, results: dict[str, Any]) -> None:
    assert name in results, f"the process ended before it: {results['process']}"
    assert results[name]["runs"] == 20
    assert not results[name]["bad"], "\n".join(results[name]["bad"])


@pytest.mark.parametrize("name", names("mnn_right.py"))
def test_right_program_goes_through(name: str, results: dict[str, Any]) -> None:
    assert name in results, f"the process ended before it: {results['process']}"
    assert not results[name]["bad"], "\n".join(results[name]["bad"])


def test_the_process_ended_well(results: dict[str, Any]) -> None:
    assert results["process"]["code"] == 0, results["process"]["tail"]
