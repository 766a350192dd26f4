"""validate --run: the difference that an input makes is the one that MNN itself shows."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.cli.run import MODELS, prepcheck, report

MNN = MODELS / "mnn"
pytestmark = pytest.mark.skipif(importlib.util.find_spec("MNN") is None, reason="MNN is not installed")


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    pixels = np.random.default_rng(0).integers(0, 256, (8, 10, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    return tmp_path / "a.png"


def planar(picture: Path) -> np.ndarray:
    return np.moveaxis(np.asarray(Image.open(picture), np.float32), -1, 0)[None].copy()


@pytest.mark.parametrize("name", ["c3_nchw", "c3_nc4hw4"])
def test_the_expected_input_against_itself(name: str, picture: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", planar(picture))
    found = report("validate", MNN / f"{name}.mnn", picture, "--buffer", tmp_path / "in.npy", "--run", code=0)
    (output,) = found["details"]["run"]["outputs"]
    assert output["difference"] == 0
    assert output["again"] == 0
    assert output["unwritten"] > 0, "this network recycles its input (measured)"
    assert {"MN048", "MN049"} <= {f["rule"] for f in found["findings"]}


def test_a_fault_changes_the_answer(picture: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", planar(picture)[:, ::-1].copy())
    found = report("validate", MNN / "c3_nchw.mnn", picture, "--buffer", tmp_path / "in.npy", "--run", code=1)
    assert found["details"]["run"]["outputs"][0]["difference"] > 0.1
    assert found["details"]["run"]["submitted"] == ["input"]


def test_another_type_is_not_run(picture: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", planar(picture).astype(np.uint8))
    found = report("validate", MNN / "c3_nchw.mnn", picture, "--buffer", tmp_path / "in.npy", "--run")
    assert any("uint8" in u["reason"] for u in found["unknown"])
    assert found["details"]["run"]["outputs"][0]["difference"] is None


@pytest.mark.parametrize(
    ("model", "words"), [("rknn/rk3588_imagenet_i8.rknn", ".mnn models only"), ("mnn/dynhw_nchw.mnn", "open sizes")]
)
def test_refusals(model: str, words: str, picture: Path) -> None:
    done = prepcheck("validate", MODELS / model, picture, "--run")
    assert done.returncode == 2
    assert words in done.stderr + done.stdout


def test_no_picture() -> None:
    done = prepcheck("validate", MNN / "c3_nchw.mnn", "--run")
    assert done.returncode == 2
    assert "needs a picture" in done.stderr + done.stdout


def test_golden_writes_a_folder_that_is_read_back(picture: Path, tmp_path: Path) -> None:
    assert prepcheck("golden", MNN / "c3_nchw.mnn", picture, "-o", tmp_path / "g").returncode == 0
    folder = tmp_path / "g" / "mnn_test"
    found = report("validate", MNN / "c3_nchw.mnn", picture, "--buffer", folder, code=0)
    assert [f["rule"] for f in found["findings"] if f["where"].startswith("buffers")] == ["CN510"]
    numbers = (folder / "input.txt").read_text(encoding="ascii").splitlines()
    (folder / "input.txt").write_text("\n".join(numbers[:200]), encoding="ascii")
    first = report("validate", MNN / "c3_nchw.mnn", picture, "--buffer", folder, code=1)["findings"][0]
    assert first["rule"] == "MN050"
    assert "200" in first["message"]
    assert "240" in first["message"]
