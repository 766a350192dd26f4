"""MMDeploy's pipeline.json and Frigate's model section."""

from __future__ import annotations

import json

import pytest

from prepcheck.errors import CorruptError
from tests.importers.files import FILES, from_text, imported, plan

CLASSIFIER = json.loads((FILES / "mmdeploy" / "classifier.json").read_text(encoding="utf-8"))
FRIGATE = (FILES / "frigate" / "rknn.yaml").read_text(encoding="utf-8")


def kinds(steps: list[dict[str, object]]) -> list[str]:
    return [next(iter(s)) for s in steps]


def test_a_classifier() -> None:
    found = plan("mmdeploy/classifier.json")
    assert kinds(found["steps"]) == ["decode", "resize", "crop", "convert_color", "normalize"]
    assert found["steps"][1]["resize"]["shorter"] == 256
    assert found["model"]["training"] == {
        "resize": "crop", "color": "RGB", "range": [0, 255], "mean": [123.675, 116.28, 103.53], "std": [58.395, 57.12, 57.375]
    }  # fmt: skip


def test_mean_0_and_std_1_say_nothing_of_training() -> None:
    found = imported("mmdeploy/detector_rknn.json")
    assert any("writes for every RKNN target" in d for d in found.doubts)
    steps = found.plan["steps"]
    assert isinstance(steps, list)
    assert steps[1] == {
        "letterbox": {"size": [640, 384], "align": "top_left", "fill": 114, "filter": "bilinear", "library": "opencv"}
    }
    assert "mean" not in found.plan["model"]["training"]  # type: ignore[index, call-overload, operator]


def test_transforms_without_a_step_are_marked() -> None:
    found = imported("mmdeploy/pose.json")
    assert sum("plans have no such step" in u for u in found.unknown) == 2
    assert found.plan["model"]["training"]["color"] == "BGR"  # type: ignore[index, call-overload]


@pytest.mark.parametrize(
    ("at", "change", "says"),
    [
        (3, {"std": [58.395, 57.12]}, "2 values beside 3"),
        (3, {"std": [0, 1, 1]}, "0 cannot divide"),
        (3, {"mean": None}, "no mean or no std"),
        (1, {"size": [256, 0]}, "no length in pixels"),
        (1, {"size": [1, 2, 3]}, "3 numbers"),
        (1, {"interpolation": "cubic-ish"}, "no filter"),
        (2, {"crop_size": [224, -1]}, "a height and a width"),
        (2, {"type": 4}, "the name of a transform"),
        (2, {"type": "Normalize", "mean": [0], "std": [1]}, "a second Normalize"),
        (4, {"type": "Resize", "size": 4}, "stands after Normalize"),
    ],
)
def test_contradictions_say_where(at: int, change: dict[str, object], says: str) -> None:
    value = json.loads(json.dumps(CLASSIFIER))
    value["pipeline"]["tasks"][0]["transforms"][at].update(change)
    with pytest.raises(CorruptError, match=r"^p\.json:\d+:\d+: pipeline\.tasks\[0\]\.transforms\[") as caught:
        from_text(json.dumps(value, indent=1), "p.json")
    assert says in caught.value.message


def test_frigate_for_rknn() -> None:
    found = imported("frigate/rknn.yaml")
    assert kinds(found.plan["steps"]) == ["decode", "convert_color", "resize", "cast"]  # type: ignore[arg-type]
    assert found.plan["runtime"] == "rknn"
    assert any("std 1, its documentation std 255" in d for d in found.doubts)
    assert "default is int" in found.words["about.input_dtype"]


def test_frigate_types() -> None:
    assert kinds(plan("frigate/onnx_float.yaml")["steps"]) == [
        "decode",
        "convert_color",
        "resize",
        "scale",
        "cast",
        "transpose",
    ]
    assert plan("frigate/onnx_float.yaml")["steps"][2]["resize"]["size"] == [640, 480]
    denorm = plan("frigate/bgr.yaml")["steps"]
    assert kinds(denorm) == ["decode", "convert_color", "resize", "cast", "transpose"]
    assert denorm[1] == {"convert_color": {"to": "BGR"}}


@pytest.mark.parametrize(
    ("old", "new", "where", "says"),
    [
        ("input_tensor: nhwc", "input_tensor: chw", "12:3", "none that Frigate knows"),
        ("input_pixel_format: rgb", "input_pixel_format: RGB", "13:3", "rgb, bgr, yuv"),
        ("width: 320", "width: -3", "10:3", "no length in pixels"),
        ("  height: 320", "  width: 320", "11:3", "stands twice"),
    ],
)
def test_frigate_says_where(old: str, new: str, where: str, says: str) -> None:
    with pytest.raises(CorruptError) as caught:
        from_text(FRIGATE.replace(old, new, 1), "config.yaml")
    assert caught.value.message.startswith(f"config.yaml:{where}: ")
    assert says in caught.value.message


def test_floats_for_rknn_are_doubted() -> None:
    text = FRIGATE.replace("  input_tensor", "  input_dtype: float\n  input_tensor")
    assert any("never worked" in d for d in from_text(text, "config.yml").doubts)
