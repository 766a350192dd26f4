"""Python programs recorded as they are: over the real MNN, and over the real rknn-toolkit2 simulator where
PREPCHECK_RKNN_PYTHON names an interpreter that has it."""

from __future__ import annotations

from pathlib import Path

import pytest

import prepcheck as pc
from prepcheck.contract.plan import Plan
from prepcheck.readers.record import record_to_plan
from tests.guarding.recording import MODELS, PROGRAMS, RKNN_PYTHON, Expected, expected, record_all

SKIP = "PREPCHECK_RKNN_PYTHON names no interpreter with rknn-toolkit2 and onnx"
ALL = [
    *(pytest.param(e, id=e.name) for e in expected("mnn")),
    *(pytest.param(e, id=e.name, marks=pytest.mark.skipif(not RKNN_PYTHON, reason=SKIP)) for e in expected("rknn")),
]
RULES = Path(pc.__file__).parent / "rules"
CALLS = {
    "mnn_right_copy": ["copyFrom", "runSession", "copyToHostTensor"] * 4,
    "mnn_right_channels_last": ["copyFrom", "runSession"] * 3,
    "mnn_right_resize": ["resizeTensor", "resizeSession", "copyFrom", "runSession"] * 3,
    "mnn_right_image_process": ["ImageProcess.convert", "runSession"] * 3,
    "mnn_wrong_run_twice": ["copyFrom", "runSession", "runSession", "runSession"],
    "mnn_wrong_never_written": ["runSession"],
    "mnn_wrong_from_numpy": ["Tensor.fromNumpy", "runSession"] * 3,
    "mnn_wrong_resize_tensor_only": ["resizeTensor", "runSession"],
    "rknn_right_pixels": ["inference"] * 3,
    "rknn_wrong_batch": ["inference"] * 3,
}


@pytest.fixture(scope="module")
def mnn_records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("MNN", reason="MNN is not installed")
    out = tmp_path_factory.mktemp("mnn")
    record_all("mnn", out)
    return out


@pytest.fixture(scope="module")
def rknn_records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rknn")
    record_all("rknn", out)
    return out


def test_there_are_enough_of_both_kinds() -> None:
    both = [*expected("mnn"), *expected("rknn")]
    assert sum(bool(e.categories) for e in both) >= 10
    assert sum(not e.categories for e in both) >= 10
    assert {e.name for e in both} == {p.stem for p in PROGRAMS.glob("*nn_*.py")}


def test_they_know_nothing_of_prepcheck() -> None:
    for path in PROGRAMS.glob("*nn_*.py"):
        assert "prepcheck" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("program", ALL)
def test_recorded(program: Expected, request: pytest.FixtureRequest) -> None:
    records: Path = request.getfixturevalue("mnn_records" if program.name.startswith("mnn") else "rknn_records")
    folder = records / program.name
    assert (folder / "code").read_text() == "0"
    recorded = record_to_plan(folder / "run.pcrec")
    plan = Plan.model_validate(recorded.plan)
    assert plan.runtime == ("mnn" if program.name.startswith("mnn") else "rknn")
    calls = [c.api for c in plan.calls]
    if program.name in CALLS:
        assert [c for c in calls if c in CALLS[program.name]] == CALLS[program.name], calls
    assert recorded.runs == sum(c in ("runSession", "inference") for c in calls)
    assert len({r.run for r in recorded.inputs}) <= 2, "the bytes of two runs are kept"
    if program.name.startswith("rknn"):
        assert plan.platform == "rk3588"
        assert plan.model is not None
        assert plan.model.build is not None
        assert plan.model.build.std == [[255.0, 255.0, 255.0]]


@pytest.mark.parametrize("program", ALL)
def test_judged(program: Expected, request: pytest.FixtureRequest) -> None:
    """A right program gives no error and no warning; a faulty one is named by its category, first."""
    mnn = program.name.startswith("mnn")
    if mnn and program.categories and not list((RULES / "mn").glob("mn*.py")):
        pytest.skip("the rules of family MN are not in this checkout")
    records: Path = request.getfixturevalue("mnn_records" if mnn else "rknn_records")
    folder = records / program.name
    model = MODELS / program.model if mnn else folder / program.model
    report = pc.validate(str(model), plan=str(folder / "run.pcrec"))
    told = [f for f in report.findings if f.severity == "error" or program.severity == f.severity == "warning"]
    if not program.categories:
        assert not [f for f in report.findings if f.severity != "info"], report.findings[0]
    else:
        assert told, [f.rule for f in report.findings]
        assert told[0].category in program.categories, told[0]
