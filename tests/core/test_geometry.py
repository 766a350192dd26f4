"""Stretch, letterbox and crop: boxes and sizes worked out by hand."""

from __future__ import annotations

import pytest

from prepcheck.core.geometry import Box, center_box, distortion, letterbox_box, side_size


def test_letterbox_in_the_middle() -> None:
    """scale = min(W/w, H/h); what is left over is halved, an odd pixel goes to the right or the bottom."""
    boxes = {
        ((1920, 1080), (640, 640)): Box(0, 140, 640, 360),  # scale 1/3
        ((1080, 1920), (640, 640)): Box(140, 0, 360, 640),
        ((640, 480), (640, 640)): Box(0, 80, 640, 480),
        ((640, 479), (640, 640)): Box(0, 80, 640, 479),  # 161 left over: 80 above, 81 below
        ((479, 640), (640, 640)): Box(80, 0, 479, 640),
        ((100, 50), (300, 300)): Box(0, 75, 300, 150),  # enlarged three times
        ((300, 200), (150, 150)): Box(0, 25, 150, 100),
        ((640, 480), (320, 192)): Box(32, 0, 256, 192),  # scale 0.4 by the height
        ((3, 2), (4, 4)): Box(0, 0, 4, 3),  # 2·4/3 = 2.67 → 3, one row left over
    }
    assert {case: letterbox_box(*case) for case in boxes} == boxes


def test_letterbox_at_the_top_left() -> None:
    assert letterbox_box((1920, 1080), (640, 640), align="top_left") == Box(0, 0, 640, 360)
    assert letterbox_box((1080, 1920), (640, 640), align="top_left") == Box(0, 0, 360, 640)


def test_letterbox_sizes_in_steps() -> None:
    """After rounding to the pixel, down to a multiple of the step, at least one step and at most the target."""
    assert letterbox_box((500, 333), (640, 640), step=4) == Box(0, 108, 640, 424)  # 426.24 → 426 → 424
    assert letterbox_box((333, 500), (640, 640), step=4) == Box(108, 0, 424, 640)
    assert letterbox_box((1000, 2), (100, 100), step=8) == Box(2, 46, 96, 8)  # 100 → 96; 0 → one step of 8
    assert letterbox_box((2, 1000), (100, 100), step=8) == Box(46, 2, 8, 96)
    assert letterbox_box((1000, 2), (6, 6), step=8, align="top_left") == Box(0, 0, 6, 6)
    assert letterbox_box((5000, 1), (100, 100)) == Box(0, 49, 100, 1)  # at least one pixel
    assert letterbox_box((1, 5000), (100, 100)) == Box(49, 0, 1, 100)


def test_sides_keep_the_ratio() -> None:
    """Whole-number arithmetic of torchvision's Resize: long · shorter // short, with max_size then by the longer side."""
    sizes = {
        ((640, 480), 224, None): (298, 224), ((480, 640), 224, None): (224, 298), ((300, 300), 224, None): (224, 224),
        ((640, 480), None, 320): (320, 240), ((480, 640), None, 320): (240, 320), ((1000, 100), 224, 512): (512, 51),
        ((100, 1000), 224, 512): (51, 512), ((640, 480), 224, 299): (298, 224), ((640, 480), 224, 298): (298, 223),
        ((640, 480), None, None): (640, 480), ((5000, 3), None, 100): (100, 1), ((3, 5000), None, 100): (1, 100),
        ((0, 0), None, 7): (1, 7), ((5, 5), 1, None): (1, 1), ((0, 10), 8, None): (8, 8), ((0, 10), 8, 4): (8, 8), ((400, 200), 100, 200): (200, 100),
        ((0, 10), 0, None): (0, 0), ((10, 100), 1, 1000): (1, 10), ((2000, 1), 1, 100): (100, 1),
    }  # fmt: skip
    assert {case: side_size(case[0], shorter=case[1], longest=case[2]) for case in sizes} == sizes


def test_a_crop_in_the_middle() -> None:
    assert center_box((10, 7), (4, 4)) == Box(3, 1, 4, 4)
    assert center_box((4, 4), (10, 7)) == Box(-3, -2, 10, 7)
    assert center_box((256, 341), (224, 224)) == Box(16, 58, 224, 224)
    assert center_box((341, 256), (224, 224)) == Box(58, 16, 224, 224)


def test_how_far_a_stretch_distorts() -> None:
    assert distortion((640, 480), (640, 640)) == pytest.approx(4 / 3)
    assert distortion((480, 640), (640, 640)) == pytest.approx(4 / 3)
    assert distortion((640, 480), (480, 640)) == pytest.approx(16 / 9)
    assert distortion((100, 50), (200, 100)) == 1.0
    assert distortion((100, 50), (300, 100)) == pytest.approx(1.5)
