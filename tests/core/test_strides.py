"""Strides against numpy's own: what is packed, which view is which, and how far a view reaches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.core.strides import packed_strides, span, view_of

try:
    from numpy.lib.array_utils import byte_bounds
except ModuleNotFoundError:  # numpy 1.26, the lowest that is taken
    from numpy import byte_bounds

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
