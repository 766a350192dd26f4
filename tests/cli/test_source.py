"""validate --source: what conversion changed, told from the two files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.run import MODELS, prepcheck, report
from tests.readers.onnx_builder import classifier
from tests.readers.tflite_builder import convolution

RKNN = MODELS / "rknn" / "rk3588_std255_i8.rknn"  # images, 20x36, mean 0, std 255


@pytest.fixture
def network(tmp_path: Path) -> Path:
    path = tmp_path / "net.onnx"
    path.write_bytes(classifier(height=20, width=36).model())
    return path


def about_conversion(found: dict[str, object]) -> list[dict[str, object]]:
    return [f for f in found["findings"] if f["rule"] in ("CT047", "CT048", "CT049")]  # type: ignore[attr-defined]


def test_what_changed(network: Path) -> None:
    (finding,) = about_conversion(report("validate", RKNN, "--source", network, code=0))
    assert (finding["rule"], finding["severity"]) == ("CT047", "info")
    for words in (
        "float32 → int8",
        "NCHW → NHWC",
        "[1, 3, 20, 36] → [1, 20, 36, 3]",
        "(x − [0, 0, 0]) / [255, 255, 255]",
    ):
        assert words in str(finding["message"])


def test_another_network(tmp_path: Path) -> None:
    path = tmp_path / "other.onnx"
    path.write_bytes(classifier(height=64, width=64).model())
    found = about_conversion(report("validate", RKNN, "--source", path, code=1))
    assert found[0]["rule"] == "CT048"
    assert "3x64x64" in str(found[0]["message"])
    assert "3x20x36" in str(found[0]["message"])


@pytest.mark.parametrize("name", ["rk3588_batch4_i8.rknn", "rk3588_imagenet_f16.rknn", "rv1106_imagenet_i8.rknn"])
def test_converted_models_of_ours_are_not_another_network(name: str, tmp_path: Path) -> None:
    import prepcheck as pc

    contract = pc.load(MODELS / "rknn" / name)
    shape = contract.inputs[0].source.shape if contract.inputs[0].source else None
    assert shape is not None
    path = tmp_path / "net.onnx"
    path.write_bytes(classifier(height=shape[2], width=shape[3]).model())
    rules = {f["rule"] for f in about_conversion(report("validate", MODELS / "rknn" / name, "--source", path))}
    assert rules == {"CT047"}


def test_a_tflite_source_and_none(tmp_path: Path) -> None:
    path = tmp_path / "net.tflite"
    path.write_bytes(convolution().build())  # 8x12
    found = about_conversion(report("validate", RKNN, "--source", path, code=1))
    assert found[0]["rule"] == "CT048"
    assert prepcheck("validate", RKNN, "--source", tmp_path / "no.onnx").returncode == 2
    assert prepcheck("validate", RKNN, "--source", RKNN).returncode in (0, 1)
