"""copyFromHostTensor with other sizes: which story each pair of shapes tells (measured on MNN 3.6.1, input 1x3x8x10)."""

from __future__ import annotations

from typing import get_args

import pytest

from prepcheck.core.mnn_copy import CopyKind, CopyStory, copy_story

INPUT = (1, 3, 8, 10)


def test_stories_of_four_axes() -> None:
    kinds = {
        (1, 3, 8, 10): "same", (1, 3, 10, 8): "exchanged", (1, 8, 10, 3): "channels_last", (1, 10, 3, 8): "channels_first",
        (2, 3, 8, 10): "batch_more", (1, 4, 8, 10): "channels_more", (1, 1, 8, 10): "channels_less",
        (1, 3, 9, 10): "larger", (1, 3, 8, 11): "larger", (1, 3, 7, 10): "smaller", (1, 3, 8, 9): "smaller",
        (2, 2, 7, 9): "larger", (1, 4, 7, 9): "larger", (1, 3, 9, 2): "larger", (2, 3, 10, 8): "larger", (1, 2, 8, 9): "smaller",
    }  # fmt: skip
    for layout in ("NCHW", "NC4HW4", None):
        for got, kind in kinds.items():
            assert copy_story(layout, got, layout, INPUT) == CopyStory(kind, got, INPUT), (layout, got)  # type: ignore[arg-type]


def test_kinds_of_stories() -> None:
    assert set(get_args(CopyKind)) == {
        "same", "same_count", "exchanged", "channels_last", "channels_first", "batch_more", "batch_less", "channels_more",
        "channels_less", "smaller", "larger",
    }  # fmt: skip


def test_fewer_pictures_than_the_input() -> None:
    assert copy_story("NCHW", INPUT, "NCHW", (2, *INPUT[1:])) == CopyStory("batch_less", INPUT, (2, 3, 8, 10))


def test_axes_of_one_in_other_places_keep_the_order() -> None:
    assert copy_story("NCHW", (3, 1, 8, 10), "NCHW", (1, 3, 8, 10)) == CopyStory("same_count", (3, 1, 8, 10), INPUT)
    assert copy_story("NCHW", (1, 10, 1, 1), "NCHW", (1, 1, 1, 10)) == CopyStory(
        "same_count", (1, 10, 1, 1), (1, 1, 1, 10)
    )


def test_sizes_are_compared_by_what_each_tensor_declares() -> None:
    assert copy_story("NHWC", (1, 8, 10, 3), "NCHW", INPUT) == CopyStory("same", INPUT, INPUT)
    assert copy_story("NCHW", INPUT, "NHWC", (1, 8, 10, 3)) == CopyStory("same", INPUT, INPUT)
    assert copy_story("NHWC", (1, 3, 8, 10), "NCHW", INPUT) == CopyStory("channels_first", (1, 10, 3, 8), INPUT)
    assert copy_story(None, (1, 8, 10, 3), "NCHW", INPUT) == CopyStory("channels_last", (1, 8, 10, 3), INPUT)
    assert copy_story("NCHW", INPUT, None, INPUT) == CopyStory("same", INPUT, INPUT)


def test_stories_of_other_ranks() -> None:
    """Copied in order: equal counts in equal order are right, the same sizes in another order are not."""
    stories = {
        ((10,), (10,)): "same", ((1, 10), (10,)): "same_count", ((2, 3, 4), (24,)): "same_count", ((4, 6), (2, 12)): "same_count",
        ((4, 6), (6, 4)): "exchanged", ((1, 4, 6), (6, 1, 4)): "exchanged", ((4, 7), (2, 12)): "larger", ((2, 11), (4, 6)): "smaller",
        ((1, 3, 8, 10), (3, 8, 10)): "same_count", ((8, 10, 3), (1, 3, 8, 10)): "exchanged", ((240,), (1, 3, 8, 10)): "same_count",
        ((241,), (1, 3, 8, 10)): "larger", ((2, 2), (2, 2, 2)): "smaller", ((2, 2, 2), (2, 2)): "larger",
    }  # fmt: skip
    for (got, want), kind in stories.items():
        assert copy_story("NCHW", got, "NCHW", want) == CopyStory(kind, got, want), (got, want)  # type: ignore[arg-type]


def test_an_order_without_letters_is_compared_as_a_list() -> None:
    assert copy_story("UNDEFINED", (1, 3, 10, 8), "NCHW", INPUT) == CopyStory("exchanged", (1, 3, 10, 8), INPUT)
    assert copy_story("NCHW", (1, 4, 8, 10), "UNDEFINED", INPUT) == CopyStory("larger", (1, 4, 8, 10), INPUT)


@pytest.mark.parametrize("dynamic", [(1, 3, -1, 10), (0, 3, 8, 10), (-1, 3, 8, 10)])
def test_nothing_is_said_of_dynamic_axes(dynamic: tuple[int, ...]) -> None:
    assert copy_story("NCHW", dynamic, "NCHW", INPUT) is None
    assert copy_story("NCHW", INPUT, "NCHW", dynamic) is None


def test_elements_of_both_and_whether_they_arrive() -> None:
    story = copy_story("NCHW", (1, 4, 8, 10), "NCHW", INPUT)
    assert story is not None
    assert (story.got_elements, story.want_elements, story.right) == (320, 240, False)
    assert CopyStory("same", INPUT, INPUT).right
    assert CopyStory("same_count", INPUT, INPUT).right
    assert not CopyStory("exchanged", INPUT, INPUT).right
