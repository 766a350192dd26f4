"""MNN's quantiser JSON: `normal` multiplies, an unknown format silently becomes BGR, short lists leave channels alone."""

from __future__ import annotations

import json

import pytest

from prepcheck.errors import CorruptError
from tests.importers.files import FILES, from_text, imported, plan

CAFFE = json.loads((FILES / "mnn" / "mobilenet_caffe.json").read_text(encoding="utf-8"))


def test_normal_multiplies() -> None:
    found = plan("mnn/mobilenet_caffe.json")
    assert found["steps"][-1]["normalize"]["std"] == pytest.approx([1 / 0.017] * 3)
    assert found["model"]["training"]["color"] == "BGR"
    assert found["model"]["training"]["range"] == [0, 255]
    assert found["steps"][1] == {"convert_color": {"to": "BGR"}}
    assert imported("mnn/mobilenet_caffe.json").formula == "(x - mean) * normal"


def test_an_unknown_format_becomes_bgr_and_is_marked() -> None:
    found = imported("mnn/lower_case_format.json")
    assert any("takes BGR" in d for d in found.doubts)
    assert any("which colour order was meant" in u for u in found.unknown)
    assert "color" not in found.plan["model"]["training"]  # type: ignore[index, call-overload, operator]
    assert found.plan["steps"][2]["resize"]["size"] == [128, 96]  # type: ignore[index, call-overload]


def test_a_deviation_in_place_of_its_inverse_is_doubted_and_crops_are_marked() -> None:
    found = imported("mnn/std_for_normal.json")
    assert any("its inverse 0.0171248 is meant" in d for d in found.doubts)
    assert any("0.875" in u for u in found.unknown)
    assert found.plan["model"]["training"]["resize"] == "crop"  # type: ignore[index, call-overload]


def test_sequences_are_no_pictures() -> None:
    found = imported("mnn/sequence.json")
    assert "steps" not in found.plan
    assert any("no picture" in u for u in found.unknown)


def test_gray() -> None:
    assert plan("mnn/gray.json")["steps"][-1]["normalize"] == {"mean": [127.5], "std": [128]}


@pytest.mark.parametrize(
    ("change", "key", "says"),
    [
        ({"mean": [127.5]}, "mean", "1 value(s) for 3 channels"),
        ({"normal": [0.017, 0, 0.017]}, "normal", "0 makes every value 0"),
        ({"mean": [1, 2, 3, 4, 5]}, "mean", "room for 4"),
        ({"height": None}, "width", "`height` is missing"),
        ({"feature_quantize_method": "MAX"}, "feature_quantize_method", "no method"),
        ({"feature_clamp_value": 200}, "feature_clamp_value", "outside 0 to 127"),
        ({"input_type": "sequence"}, "format", "pictures are described"),
        ({"input_type": "video"}, "input_type", "no type of input"),
        ({"center_crop_h": 2}, "center_crop_h", "no part of the picture"),
        ({"mean": "127.5"}, "mean", "a list is expected"),
    ],
)
def test_contradictions_say_where(change: dict[str, object], key: str, says: str) -> None:
    text = json.dumps({**CAFFE, **change}, indent=1)
    line = next(i for i, row in enumerate(text.splitlines(), 1) if f'"{key}"' in row)
    with pytest.raises(CorruptError, match=r"^q\.json:\d+:\d+: ") as caught:
        from_text(text, "q.json")
    assert says in caught.value.message
    assert line <= int(caught.value.message.split(":")[1]) <= line + 6
