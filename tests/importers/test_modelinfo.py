"""GStreamer's .modelinfo: versions, placeholders, ranges as minimum and maximum of 8-bit pictures."""

from __future__ import annotations

import pytest

from prepcheck.errors import CorruptError, UnsupportedVersionError
from tests.importers.files import FILES, from_text, imported, plan

SSD = (FILES / "modelinfo" / "ssd.modelinfo").read_text(encoding="utf-8")


def test_one_range_for_all() -> None:
    found = plan("modelinfo/ssd.modelinfo")
    assert found["model"]["inputs"] == [
        {"index": 0, "name": "image_tensor:0", "dtype": "uint8", "shape": [1, 300, 300, 3]}
    ]
    assert found["model"]["training"] == {"image_tensor:0": {"color": "RGB", "range": [0, 255]}}
    assert found["model"]["outputs"][0]["shape"] == [1, -1, 4]


def test_ranges_for_each_channel_are_mean_and_std_in_pixels() -> None:
    training = plan("modelinfo/per_channel.modelinfo")["model"]["training"]["input.1"]
    assert training["mean"] == pytest.approx([123.675, 116.28, 103.53], abs=0.01)
    assert training["std"] == pytest.approx([58.395, 57.12, 57.375], abs=0.01)
    found = imported("modelinfo/per_channel.modelinfo")
    assert any("1.0 has no `caps`" in u for u in found.unknown)
    assert any("layout" in u for u in found.unknown)


def test_placeholders_are_unknown() -> None:
    found = imported("modelinfo/placeholders.modelinfo")
    assert any("value range of data: PLACEHOLDER" in u for u in found.unknown)
    assert found.plan["model"]["training"] == {"data": {"color": "GRAY"}}  # type: ignore[index, call-overload]


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("[modelinfo]\nversion=1.1\ngroup-id=ssd-mobilenet-v1-variant-1-out\n", "", None, "no section [modelinfo]"),
        ("version=1.1\n", "", 2, "no `version`"),
        ("version=1.1", "version=one", 3, "major.minor"),
        ("caps=video/x-raw, format=RGB\n", "", 6, "needs `caps`"),
        ("format=RGB", "width=300", 11, "has no format"),
        ("format=RGB", "format={RGB,BGR}", 11, "not a choice"),
        ("format=RGB", "format={ RGB, BGR }", 11, "not a choice"),
        ("ranges=0.0,255.0", "ranges=0,1;0,1", 10, "2 pairs for 3 channel(s)"),
        ("ranges=0.0,255.0", "ranges=255,0", 10, "not below"),
        ("ranges=0.0,255.0", "ranges=nan,1", 10, "no number"),
        ("ranges=0.0,255.0", "ranges=a,b", 10, "no pair of numbers"),
        ("dims=1,300,300,3", "dims=1,300,x,3", 7, "no dimension"),
        ("type=uint8", "type=u8", 9, "no element type"),
        ("dir=input", "dir=in", 8, "input or output"),
        ("type=uint8", "type=uint8\ntype=float32", 10, "stands a second time"),
        ("[detection_boxes:0]", "[image_tensor:0]", 13, "stands twice"),
        ("dir=input\n", "dir=output\n", None, "no section has dir=input"),
        ("dims=1,300,300,3", "dims", 7, "no `key=value`"),
    ],
)
def test_contradictions_say_where(old: str, new: str, line: int | None, says: str) -> None:
    text = SSD.replace(old, new, 1)
    assert text != SSD
    with pytest.raises(CorruptError) as caught:
        from_text(text, "m.modelinfo")
    assert says in caught.value.message
    assert caught.value.message.startswith(f"m.modelinfo:{line}:" if line else "m.modelinfo: ")


def test_versions() -> None:
    with pytest.raises(UnsupportedVersionError, match=r"version 2\.0"):
        from_text(SSD.replace("version=1.1", "version=2.0"), "m.modelinfo")
    assert any("newer" in d for d in from_text(SSD.replace("version=1.1", "version=1.9"), "m.modelinfo").doubts)
