"""Hugging Face's preprocessor_config.json: each trap of the format, and contradictions with their place."""

from __future__ import annotations

import json

import pytest

from prepcheck.errors import CorruptError
from tests.importers.files import FILES, from_text, imported, plan

IMAGENET = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}
CLIP = json.loads((FILES / "hf" / "clip_shortest_edge.json").read_text(encoding="utf-8"))


def kinds(steps: list[dict[str, object]]) -> list[str]:
    return [next(iter(s)) for s in steps]


def test_a_bare_number_is_a_square_for_vit() -> None:
    found = plan("hf/vit_old_extractor.json")
    assert found["steps"][1]["resize"] == {"size": [224, 224], "filter": "bilinear", "library": "pillow"}
    assert found["model"]["training"] == {
        "color": "RGB",
        "resize": "stretch",
        "range": [0, 1],
        "mean": [0.5] * 3,
        "std": [0.5] * 3,
    }
    words = imported("hf/vit_old_extractor.json").words
    assert "is not in the file" in words["steps.scale"]  # the old files have no do_rescale


def test_shortest_edge_keeps_the_ratio_and_is_cropped() -> None:
    found = plan("hf/clip_shortest_edge.json")
    assert kinds(found["steps"]) == ["decode", "resize", "crop", "scale", "normalize"]
    assert found["steps"][1]["resize"] == {"shorter": 224, "filter": "bicubic", "library": "pillow"}
    assert found["steps"][2]["crop"] == {"center": [224, 224]}
    assert found["model"]["training"]["resize"] == "crop"
    assert all(s[k]["where"] == "unknown" for s in found["steps"] for k in s if k in ("scale", "normalize"))


def test_means_in_pixels_with_do_rescale_false() -> None:
    found = plan("hf/pose_pixels_means.json")
    assert kinds(found["steps"]) == ["decode", "resize", "normalize"]
    assert found["steps"][1]["resize"]["size"] == [192, 256]  # width first
    assert found["model"]["training"]["range"] == [0, 255]
    assert found["model"]["training"]["mean"] == [123.675, 116.28, 103.53]


def test_the_channel_order_may_be_turned_round() -> None:
    found = plan("hf/mobilevit_flip.json")
    assert found["model"]["training"]["color"] == "BGR"
    assert found["steps"][1]["resize"]["shorter"] == 288
    assert found["steps"][-1] == {"convert_color": {"to": "BGR"}}  # last of all
    layout = from_text(
        '{"do_resize": true, "size": 224, "feature_extractor_type": "LayoutLMv2FeatureExtractor"}', "p.json"
    ).plan
    assert layout["model"] == {"training": {"color": "BGR", "resize": "stretch", "range": [0, 255]}}
    assert kinds(layout["steps"]) == ["decode", "resize", "convert_color"]  # type: ignore[arg-type]


def test_rescale_with_an_offset() -> None:
    found = plan("hf/efficientnet_offset.json")
    assert found["steps"][-1]["scale"] == {"by": pytest.approx(1 / 127.5), "offset": -1.0, "where": "unknown"}
    assert found["model"]["training"]["range"] == [-1, 1]


def test_crop_pct_of_convnext() -> None:
    found = plan("hf/convnext_crop_pct.json")
    assert found["steps"][1]["resize"]["shorter"] == 256  # 224 / 0.875
    assert found["steps"][2]["crop"] == {"center": [224, 224]}


def test_size_with_max_size_is_the_shorter_side_with_a_limit() -> None:
    found = imported("hf/detr_max_size.json")
    assert found.plan["steps"][1]["resize"] == {"shorter": 800, "longest": 1333, "library": "pillow"}  # type: ignore[index, call-overload]
    assert any("resample" in u for u in found.unknown)


def test_padding_after_the_longest_edge() -> None:
    found = plan("hf/sam_pad.json")
    assert found["steps"][1]["letterbox"] == {
        "size": [1024, 1024], "fill": 0, "align": "top_left", "filter": "bilinear", "library": "pillow"
    }  # fmt: skip


def test_fed_with_0_to_1_is_marked() -> None:
    found = from_text(json.dumps({**CLIP, "do_rescale": False}), "preprocessor_config.json")
    assert any("who divides by 255" in u for u in found.unknown)


def test_processor_config_has_it_inside() -> None:
    text = json.dumps({"processor_class": "X", "image_processor": CLIP}, indent=1)
    assert from_text(text, "processor_config.json").plan == imported("hf/clip_shortest_edge.json").plan


@pytest.mark.parametrize(
    ("change", "key", "says"),
    [
        ({"image_mean": [123.675, 116.28, 103.53], "image_std": [58.395, 57.12, 57.375]}, "image_mean", "do_rescale is true"),
        ({"image_std": [0.2, 0.2]}, "image_std", "2 values beside 3"),
        ({"image_std": [0.2, 0, 0.2]}, "image_std", "0 cannot divide"),
        ({"size": {"height": 224, "width": 224, "shortest_edge": 224}}, "size", "the file says both"),
        ({"size": {"height": 224}}, "size", "`width` is missing"),
        ({"size": {"shortest": 224}}, "size", "no key of a size"),
        ({"size": -4}, "size", "no length in pixels"),
        ({"crop_size": 256}, "crop_size", "larger than the picture"),
        ({"rescale_factor": 0}, "rescale_factor", "to 0"),
        ({"resample": 9}, "resample", "no filter"),
        ({"do_rescale": "yes"}, "do_rescale", "true or false is expected"),
        ({"image_mean": None}, "do_normalize", "there is no image_mean"),
    ],
)  # fmt: skip
def test_a_file_that_contradicts_itself_says_where(change: dict[str, object], key: str, says: str) -> None:
    text = json.dumps({**CLIP, **change}, indent=2)
    line = next(i for i, row in enumerate(text.splitlines(), 1) if f'"{key}"' in row)
    with pytest.raises(CorruptError) as caught:
        from_text(text, "p.json")
    assert says in caught.value.message
    last = line + 8 if isinstance(change.get(key), (list, dict)) else line
    place = int(caught.value.message.split(":")[1])
    assert line <= place <= last


def test_a_factor_that_is_a_divisor_is_doubted() -> None:
    found = from_text(json.dumps({**CLIP, "rescale_factor": 255, "do_normalize": False}), "p.json")
    assert any("1/255" in d for d in found.doubts)


def test_units_that_do_not_fit_are_doubted() -> None:
    found = from_text(json.dumps({**CLIP, "image_std": [58.395, 57.12, 57.375]}), "p.json")
    assert any("different units" in d for d in found.doubts)
