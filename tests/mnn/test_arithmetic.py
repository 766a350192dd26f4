"""What the MNN rules compute: copies of other sizes, converter arguments, frames of a matrix, fixed reshapes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.core.mnn_convert_args import keep_input_format, misread
from prepcheck.core.mnn_copy import copy_story
from prepcheck.pixels.image_process import box_matrix, half_pixel_matrix
from prepcheck.pixels.image_process.frame import frame_of, inverse_scales
from prepcheck.pixels.image_process.matrix import axes
from prepcheck.rules.mn.mn307_log_reshape_fixed import square_sides

side = st.integers(8, 2000)


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        (("NCHW", (1, 3, 8, 10)), "same"), (("NHWC", (1, 8, 10, 3)), "same"), (("CHW", (3, 8, 10)), "same_count"),
        (("NCHW", (240,)), "same_count"), (("NCHW", (1, 3, 10, 8)), "exchanged"), (("NCHW", (1, 8, 10, 3)), "channels_last"),
        (("NCHW", (2, 3, 8, 10)), "batch_more"), (("NCHW", (1, 4, 8, 10)), "channels_more"),
        (("NCHW", (1, 1, 8, 10)), "channels_less"), (("NCHW", (1, 3, 16, 10)), "larger"), (("NCHW", (1, 3, 4, 10)), "smaller"),
    ],
)  # fmt: skip
def test_copies_as_measured(host: tuple[str, tuple[int, ...]], kind: str) -> None:
    story = copy_story(*host, "NC4HW4", (1, 3, 8, 10))
    assert story is not None
    assert story.kind == kind
    assert story.right == (kind in ("same", "same_count"))


def test_open_sizes_say_nothing() -> None:
    assert copy_story("NCHW", (1, 3, 8, 10), "NCHW", (1, 3, -1, -1)) is None


@pytest.mark.parametrize(
    ("arguments", "keeps"),
    [
        (["--keepInputFormat=1"], True), (["--keepInputFormat"], False), (["--keepInputFormat=true"], False),
        (["--keepInputFormat=True"], False), (["--keepInputFormat", "1"], False), (["--keepInputFormat=0"], False),
    ],
)  # fmt: skip
def test_keep_input_format_as_measured(arguments: list[str], keeps: bool) -> None:
    found = keep_input_format(["-f", "ONNX", *arguments, "--bizCode", "x"])
    assert found is not None
    assert found.keeps is keeps


def test_no_argument_is_no_fault() -> None:
    assert keep_input_format(["-f", "ONNX"]) is None
    assert misread(["-f", "ONNX", "--fp16", "--saveStaticModel", "--MNNModel", "a.mnn"]) == []


@given(side, side, side, side)
def test_a_stretch_fills_the_frame(sw: int, sh: int, w: int, h: int) -> None:
    both = axes(half_pixel_matrix((sw, sh), (w, h)), (sw, sh), (w, h))
    frame = frame_of(both)
    assert frame is not None
    assert frame.fitting in ("whole", "stretch")
    if max(sw / w, w / sw, sh / h, h / sh) > 1.05 and (sw / w > 1) == (sh / h > 1):
        assert not inverse_scales(both)


@given(side, side, side, side)
def test_a_letterbox_is_one(sw: int, sh: int, w: int, h: int) -> None:
    factor = min(w / sw, h / sh)
    bw, bh = max(1, round(sw * factor)), max(1, round(sh * factor))
    box = ((w - bw) // 2, (h - bh) // 2, bw, bh)
    frame = frame_of(axes(box_matrix((sw, sh), box), (sw, sh), (w, h)))
    assert frame is not None
    assert frame.sized_as(frame.letterbox("center"))
    assert max(abs(v) for v in frame.off(frame.own_box("center"))) <= 1


@pytest.mark.parametrize(("have", "need", "ratio"), [(313664, 185600, 1.3), (116 * 26 * 26, 116 * 20 * 20, 1.3)])
def test_sides_of_a_fixed_reshape(have: int, need: int, ratio: float) -> None:
    found = square_sides(have, need)
    assert found is not None
    factor, a, b = found
    assert (factor * a * a, factor * b * b) == (have, need)
    assert a / b == pytest.approx(ratio)


def test_sides_that_are_none() -> None:
    assert square_sides(33280, 102400) is None
