"""Ultralytics' metadata.yaml: size and stride are stated, preprocessing is not, and that is marked."""

from __future__ import annotations

import pytest

from prepcheck.errors import CorruptError
from tests.importers.files import FILES, from_text, imported, plan

DETECT = (FILES / "ultralytics" / "detect.yaml").read_text(encoding="utf-8")


def test_imgsz_is_height_first_and_values_are_a_custom() -> None:
    found = imported("ultralytics/detect.yaml")
    steps = found.plan["steps"]
    assert isinstance(steps, list)
    assert steps[2] == {
        "letterbox": {"size": [640, 384], "fill": 114, "align": "center", "filter": "bilinear", "library": "opencv"}
    }
    assert steps[-1] == {"scale": {"by": 1 / 255, "where": "unknown"}}
    assert any("the file has none of them" in u for u in found.unknown)
    assert "not in the file" in found.words["steps.scale"]
    assert found.plan["postprocess"] == {"undo": "letterbox"}


def test_classifiers_crop() -> None:
    found = plan("ultralytics/classify.yaml")
    assert [next(iter(s)) for s in found["steps"]] == ["decode", "convert_color", "resize", "crop", "scale"]
    assert found["model"]["training"]["resize"] == "crop"


def test_gray_batches_and_dynamic_sizes_are_marked() -> None:
    found = imported("ultralytics/gray_batch.yaml")
    assert found.plan["model"]["training"]["color"] == "GRAY"  # type: ignore[index, call-overload]
    assert any("batch" in u for u in found.unknown)
    assert any("dynamic" in u for u in found.unknown)


@pytest.mark.parametrize(
    ("old", "new", "where", "says"),
    [
        ("- 384", "- 400", "10:1", "400 = 12 · 32 + 16"),
        ("  batch: 1", "  batch: 8", "17:3", "batch is 1 (line 9)"),
        ("task: detect", "task: track", "8:1", "no task"),
        ("stride: 32", "stride: x", "7:1", "a length in pixels"),
        ("- 384\n- 640", "- 384\n- 640\n- 3", "10:1", "3 numbers"),
        ("- 384\n", "- .nan\n", "11:3", "no number"),
        ("channels: 3", "task: detect", "21:1", "stands twice"),
        ("names:", "names: &a", "13:8", "anchors"),
    ],
)
def test_contradictions_say_where(old: str, new: str, where: str, says: str) -> None:
    text = DETECT.replace(old, new, 1)
    assert text != DETECT
    with pytest.raises(CorruptError) as caught:
        from_text(text, "metadata.yaml")
    assert caught.value.message.startswith(f"metadata.yaml:{where}: ")
    assert says in caught.value.message
