"""The boxes of rknn_model_zoo's convert_image_with_letterbox: by hand, and against its float arithmetic done by numpy."""

from __future__ import annotations

import numpy as np

from prepcheck.core.geometry import Box
from prepcheck.core.zoo_letterbox import ZooLetterbox, zoo_letterbox


def test_worked_examples() -> None:
    """Width down to a multiple of 4, height to one of 2; half of the bar in front, down to an even number."""
    boxes = {
        ((1920, 1080), (640, 640)): Box(0, 140, 640, 360),
        ((1080, 1920), (640, 640)): Box(140, 0, 360, 640),
        ((640, 480), (640, 640)): Box(0, 80, 640, 480),
        ((333, 500), (640, 640)): Box(108, 0, 424, 640),  # 426.2 → 426 → 424; 216/2
        ((500, 333), (640, 640)): Box(0, 106, 640, 426),  # 214/2 = 107 → 106
        ((500, 331), (640, 640)): Box(0, 108, 640, 422),  # 423.7 → 423 → 422; 218/2 = 109 → 108
        ((640, 480), (416, 234)): Box(52, 0, 312, 234),
        ((176, 176), (416, 416)): Box(2, 0, 412, 416),  # 176 · float32(2.3636363) = 415.99997 → 415 → 412; 4/2
        ((100, 100), (640, 640)): Box(0, 0, 640, 640),
        ((1000, 10), (30, 20)): Box(0, 10, 28, 0),  # width of the target itself is cut; 10 · 0.03 is nothing
    }
    assert {case: zoo_letterbox(*case).box for case in boxes} == boxes


def test_boxes_are_whole_pixels() -> None:
    for case in (((500, 331), (640, 640)), ((331, 500), (640, 640))):
        box = zoo_letterbox(*case).box
        assert {type(v) for v in (box.x, box.y, box.w, box.h)} == {int}


def test_scale_is_the_smaller_ratio_as_float32() -> None:
    assert zoo_letterbox((1920, 1080), (640, 640)) == ZooLetterbox(Box(0, 140, 640, 360), float(np.float32(1 / 3)))
    assert zoo_letterbox((1080, 1920), (640, 640)).scale == float(np.float32(1 / 3))
    assert zoo_letterbox((640, 480), (416, 234)).scale == float(np.float32(234 / 480))


def test_agrees_with_the_arithmetic_of_c_floats() -> None:
    """image_utils.c: float scale = min(w, h ratio); (int)(side * scale); -= side % 4 or % 2; offset / 2, -= offset % 2."""
    rng = np.random.default_rng(11)
    for sw, sh, tw, th in rng.integers(8, 2000, (300, 4)).tolist():
        across, down = np.float32(tw) / np.float32(sw), np.float32(th) / np.float32(sh)
        if across < down:
            w, h = tw, int(np.float32(sh) * across)
        else:
            w, h = int(np.float32(sw) * down), th
        w -= w % 4
        h -= h % 2
        left = 0 if across < down else (tw - w) // 2
        top = (th - h) // 2 if across < down else 0
        found = zoo_letterbox((sw, sh), (tw, th))
        assert found.box == Box(left - left % 2, top - top % 2, w, h), (sw, sh, tw, th)
        assert found.scale == float(min(across, down))
