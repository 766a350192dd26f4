"""Strides against numpy's own: what is packed, which view is which, and how far a view reaches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.core.strides import View, packed_strides, span, view_of

try:
    from numpy.lib.array_utils import byte_bounds
except ModuleNotFoundError:  # numpy 1.26, the lowest that is taken
    from numpy import byte_bounds  # type: ignore[attr-defined,no-redef]

SHAPES = st.lists(st.integers(1, 7), min_size=1, max_size=4)


@given(SHAPES, st.sampled_from(["uint8", "float16", "float32"]))
def test_packed_is_numpys_c_order(shape: list[int], dtype: str) -> None:
    array = np.zeros(shape, dtype=dtype)
    assert packed_strides(shape, array.itemsize) == array.strides
    found = view_of(shape, array.strides, array.itemsize)
    assert found is not None and found.kind == "packed"


@given(SHAPES, st.data())
def test_packed_agrees_with_numpys_flag(shape: list[int], data: st.DataObject) -> None:
    whole = np.zeros([2 * s for s in shape], dtype="uint16")
    steps = [data.draw(st.sampled_from([1, 1, 2, -1])) for _ in shape]
    array = whole[tuple(slice(None, None, s) for s in steps)].transpose(data.draw(st.permutations(range(len(shape)))))
    found = view_of(array.shape, array.strides, 2)
    assert found is not None
    assert (found.kind == "packed") == array.flags.c_contiguous
    low, high = byte_bounds(array)
    assert span(array.shape, array.strides, 2) == high - low


@pytest.mark.parametrize(
    "view,kind",
    [
        (np.zeros((12, 16, 3), np.uint8)[2:10, 2:10], "rows"),
        (np.zeros((8, 8, 4), np.uint8)[..., :3], "pixels"),
        (np.zeros((3, 8, 8), np.uint8).transpose(1, 2, 0), "permuted"),
        (np.zeros((8, 8, 3), np.uint8)[..., ::-1], "reversed"),
        (np.zeros((8, 8, 3), np.uint8)[::-1], "reversed"),
        (np.zeros((16, 8, 3), np.uint8)[::2], "rows"),
        (np.zeros((3, 16, 8), np.uint8).transpose(1, 2, 0)[::2], "other"),
    ],
)
def test_views(view: np.ndarray, kind: str) -> None:
    found = view_of(view.shape, view.strides, 1)
    assert found is not None and found.kind == kind


def test_lengths_that_do_not_fit() -> None:
    assert view_of([2, 3], [3], 1) is None


def _view(array: np.ndarray) -> View | None:
    return view_of(array.shape, array.strides, array.itemsize)


def test_views_say_the_axis_and_both_steps() -> None:
    """Of the axes that differ the innermost one (for flipped ones the first flipped); steps in bytes."""
    image = np.zeros((8, 8, 3), np.uint8)
    wide = np.zeros((12, 16, 3), np.uint8)
    planes = np.zeros((3, 8, 10), np.float32)
    assert _view(image) == View("packed", 0, 0, 0, ())
    assert _view(wide[2:10, 2:10]) == View("rows", 0, 48, 24)
    assert _view(wide[::2]) == View("rows", 0, 96, 48)
    assert _view(np.zeros((8, 8, 4), np.uint8)[..., :3]) == View("pixels", 1, 4, 3)
    assert _view(wide[:, ::2]) == View("pixels", 1, 6, 3)
    assert _view(np.zeros((8, 8, 6), np.uint8)[..., ::2]) == View("pixels", 2, 2, 1)
    assert _view(image[..., ::-1]) == View("reversed", 2, -1, 1)
    assert _view(image[::-1]) == View("reversed", 0, -24, 24)
    assert _view(image[:, ::-1]) == View("reversed", 1, -3, 3)
    assert _view(image[::-1, :, ::-1]) == View("reversed", 0, -24, 24)
    assert _view(wide[::2, ::-1]) == View("reversed", 1, -3, 3)
    assert _view(planes.transpose(1, 2, 0)) == View("permuted", 2, 320, 4, (2, 0, 1))
    assert _view(planes.transpose(2, 1, 0)) == View("permuted", 2, 320, 4, (2, 1, 0))
    assert _view(planes[:, :5].transpose(1, 2, 0)) == View("other", 2, 320, 4)
    assert _view(np.zeros((2, 3, 8, 10), np.uint8).transpose(0, 2, 3, 1)) == View("permuted", 3, 80, 1, (0, 3, 1, 2))


def test_rows_and_pixels_are_told_apart_by_the_innermost_axes() -> None:
    """A step in the last axis, or in the one before where the last has at most 4 elements (a pixel's channels), is `pixels`."""
    assert _view(np.zeros((5, 20), np.uint8)[:, :10]) == View("rows", 0, 20, 10)
    assert _view(np.zeros((5, 20), np.uint8)[:, ::2]) == View("pixels", 1, 2, 1)
    assert _view(np.zeros((5, 8), np.uint8)[:, :4]) == View("pixels", 0, 8, 4)
    assert _view(np.zeros((5, 8), np.uint8)[:, :5]) == View("rows", 0, 8, 5)
    assert _view(np.zeros((2, 9, 5, 3), np.uint8)[:, :6]) == View("rows", 0, 135, 90)
    assert _view(np.zeros((6, 5, 8), np.uint8)[..., :5]) == View("rows", 1, 8, 5)
    assert _view(np.zeros((6, 16, 1), np.uint8)[:, ::2]) == View("pixels", 1, 2, 1)
    assert _view(np.zeros((6, 16, 1), np.uint8)[:, :8]) == View("rows", 0, 16, 8)
    assert _view(np.zeros((6, 16, 1, 1), np.uint8)[:, ::2]) == View("pixels", 1, 2, 1)


def test_axes_of_one_do_not_matter() -> None:
    assert view_of([1, 8, 3], [999, 3, 1], 1) == View("packed")
    assert view_of([1, 2, 1, 3], [-7, 3, -9, 1], 1) == View("packed")
    assert view_of([1, 3, 1, 2], [5, 2, 7, 6], 2) == View("permuted", 3, 6, 2, (3, 1))
    assert view_of([], [], 4) == View("packed")


def test_elements_that_lie_on_each_other_are_another_view() -> None:
    """A broadcast picture: the rows take no step; and two rows that overlap."""
    assert view_of([4, 3], [0, 1], 1) == View("other", 0, 0, 3)
    assert view_of([4, 3], [2, 1], 1) == View("other", 0, 2, 3)
    assert view_of([4, 3], [0, -1], 1) == View("reversed", 1, -1, 1)
    assert view_of([2, 2], [2, 2], 1) == View("pixels", 1, 2, 1)


def test_steps_of_empty_axes() -> None:
    """An axis of 0 counts as one element."""
    assert packed_strides([2, 0, 3], 4) == (12, 12, 4)
    assert packed_strides([], 4) == ()


def test_reach_of_a_view() -> None:
    assert span([4, 3], [8, 2], 2) == 2 + 3 * 8 + 2 * 2
    assert span([4, 3], [-8, 2], 2) == 30
    assert span([1], [100], 4) == 4
    assert span([], [], 4) == 4
    assert span([0, 3], [8, 2], 2) == 2 + 2 * 2
