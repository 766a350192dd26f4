"""Files that the pages and the README speak of."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import prepcheck as pc
from tests.cli.run import MODELS
from tests.cli.test_answers import network


def with_models(folder: Path, line: str) -> None:
    """What the lines about answers use besides: three pictures, a model for MNN, the network of the .rknn, its scores."""
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        shutil.copy(folder / "image.jpg", folder / name)
    shutil.copy(MODELS / "mnn" / "c3_nchw.mnn", folder / "model.mnn")
    if "--onnx" in line:
        pytest.importorskip("onnxruntime")
        pytest.importorskip("onnx")
        height, width, channels = (pc.load(folder / "model.rknn").inputs[0].shape or [])[1:]
        network(folder / "model.onnx", channels, (height, width))
        (folder / "scores.txt").write_text("0.2, 0.3, 0.5\n", encoding="utf-8")
