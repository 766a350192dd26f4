"""The guard over the real rknn-toolkit2 simulator, in the interpreter that PREPCHECK_RKNN_PYTHON names."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from prepcheck.guarding.compiled import CompiledContract
from prepcheck.readers.model import read_model
from tests.guarding.recording import HERE, PROGRAMS, RKNN_PYTHON

pytestmark = pytest.mark.skipif(
    not RKNN_PYTHON, reason="PREPCHECK_RKNN_PYTHON names no interpreter with rknn-toolkit2 and onnx"
)
FAULTS = (
    "float64", "divided", "normalized", "channels_first", "exchanged", "alpha", "not_resized", "signed", "nan", "pass_through",
    "format", "none", "extra", "batch",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("simulator")
    for script in (PROGRAMS / "make_onnx.py", HERE / "simulator_child.py"):
        done = subprocess.run(
            [RKNN_PYTHON, str(script), str(path)], capture_output=True, text=True, timeout=300, cwd=path, check=False
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return path


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return found


def test_right_calls_go_through_with_the_same_answers(results: dict[str, Any]) -> None:
    assert results["distinct_answers"] >= 15  # a quantized answer repeats now and then, and that is no fault
    assert results["stats"]["calls"] == 20 * 3 + 20
    assert results["stats"]["findings"] == {"error": {}, "warning": {}}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_stopped(name: str, results: dict[str, Any]) -> None:
    wanted, stopped = results["faults"][name]
    assert stopped == wanted


def test_every_fault_has_a_test(results: dict[str, Any]) -> None:
    assert set(results["faults"]) == set(FAULTS)


def test_the_contract_is_the_one_that_the_exported_model_states(folder: Path) -> None:
    read, used = CompiledContract.of(read_model(folder / "model.rknn")), CompiledContract.load(folder / "contract.json")
    mine, theirs = used.inputs[0], read.inputs[0]
    for key in ("name", "layout", "shape", "dtype", "scheme", "zero_point"):
        assert getattr(mine, key) == getattr(theirs, key), key
    assert theirs.scale == pytest.approx(1 / 255, rel=1e-3)
    assert theirs.std is not None
    assert theirs.std[:3] == pytest.approx((255.0,) * 3)
    assert theirs.value_range == pytest.approx((0.0, 1.0), abs=1e-3)
