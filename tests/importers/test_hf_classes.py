"""What single image processors of Hugging Face do otherwise than the rest: their defaults and their own resizes."""

from __future__ import annotations

import json

import pytest

from prepcheck.importers.imported import Imported
from tests.importers.files import from_text

VALUES = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3, "resample": 2, "do_resize": True}


def read(family: str, **more: object) -> Imported:
    return from_text(json.dumps({"image_processor_type": f"{family}ImageProcessor", **VALUES, **more}), "p.json")


def step(found: Imported, index: int) -> object:
    steps = found.plan["steps"]
    assert isinstance(steps, list)
    return steps[index]


def training(found: Imported) -> dict[str, object]:
    model = found.plan["model"]
    assert isinstance(model, dict)
    assert isinstance(model["training"], dict)
    return dict(model["training"])


def test_deit_crops_without_being_told() -> None:
    found = read("DeiT", size=256, crop_size=224)
    assert step(found, 1) == {"resize": {"size": [256, 256], "filter": "bilinear", "library": "pillow"}}
    assert step(found, 2) == {"crop": {"center": [224, 224]}}
    assert "crop" not in json.dumps(read("ViT", size=256, crop_size=224).plan["steps"])


def test_crop_pct_has_a_default() -> None:
    small = read("ConvNext", size={"shortest_edge": 224})
    assert step(small, 1) == {"resize": {"shorter": 256, "filter": "bilinear", "library": "pillow"}}
    assert step(small, 2) == {"crop": {"center": [224, 224]}}
    assert any("crop_pct" in d for d in small.doubts)
    large = read("ConvNext", size={"shortest_edge": 384})
    assert step(large, 1) == {"resize": {"size": [384, 384], "filter": "bilinear", "library": "pillow"}}


@pytest.mark.parametrize("size", [{"shortest_edge": 384}, {"height": 384, "width": 384}])
def test_poolformer_never_stretches_to_a_square(size: dict[str, int]) -> None:
    found = read("PoolFormer", size=size, crop_size=384, crop_pct=0.95)
    assert step(found, 1) == {"resize": {"shorter": 404, "filter": "bilinear", "library": "pillow"}}  # 384 / 0.95
    assert [k for s in found.plan["steps"] for k in s if k == "crop"] == ["crop"]  # type: ignore[union-attr]
    default = read("PoolFormer", size={"shortest_edge": 224})
    assert step(default, 1) == {"resize": {"shorter": 248, "filter": "bilinear", "library": "pillow"}}  # 224 / 0.9


def test_donut_fits_the_page_between_black_bars() -> None:
    found = read("Donut", size=[1920, 2560], do_align_long_axis=True, do_pad=True)
    box = {"size": [1920, 2560], "fill": 0, "align": "center", "filter": "bilinear", "library": "pillow"}
    assert step(found, 1) == {"letterbox": box}
    assert training(found)["resize"] == "letterbox"
    assert any("turned" in u for u in found.unknown)
    assert step(read("Donut", size={"height": 2560, "width": 1920}), 1) == {"letterbox": box}


def test_dpt_may_keep_the_ratio() -> None:
    size = {"height": 518, "width": 518}
    found = read("DPT", size=size, keep_aspect_ratio=True, ensure_multiple_of=14)
    assert step(found, 1) == {"resize": {"shorter": 518, "filter": "bilinear", "library": "pillow"}}
    assert "resize" not in training(found)
    assert any("multiple of 14" in u and "ratio" in u for u in found.unknown)
    plain = read("DPT", size=size)
    assert training(plain)["resize"] == "stretch"
    assert not any("multiple" in u for u in plain.unknown)


def test_vilt_limits_the_longer_side() -> None:
    found = read("Vilt", size=384)
    assert step(found, 1) == {"resize": {"shorter": 384, "longest": 639, "filter": "bilinear", "library": "pillow"}}
    assert any("size_divisor" in u for u in found.unknown)


def test_detr_limits_the_longer_side_by_itself() -> None:
    found = read("Detr", size=800)
    assert step(found, 1) == {"resize": {"shorter": 800, "longest": 1333, "filter": "bilinear", "library": "pillow"}}
    assert any("max_size" in d for d in found.doubts)
    assert step(read("Detr", size=800, max_size=1000), 1) == {
        "resize": {"shorter": 800, "longest": 1000, "filter": "bilinear", "library": "pillow"}
    }


def test_vivit_reaches_minus_one() -> None:
    assert step(read("Vivit", size={"shortest_edge": 256}), 2) == {
        "scale": {"by": pytest.approx(1 / 127.5), "where": "unknown", "offset": -1.0}
    }
    plain = read("Vivit", size={"shortest_edge": 256}, offset=False, rescale_factor=1 / 255)
    assert step(plain, 2) == {"scale": {"by": pytest.approx(1 / 255), "where": "unknown"}}


def test_efficientnet_includes_its_top_by_default() -> None:
    assert any("include_top" in d for d in read("EfficientNet", size=224).doubts)
    assert not any("include_top" in d for d in read("EfficientNet", size=224, include_top=False).doubts)
