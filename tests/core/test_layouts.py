"""Layouts: which axis is which, how a shape reads in another order, how many elements lie in memory."""

from __future__ import annotations

import numpy as np

from prepcheck.core import layouts
from prepcheck.core.layouts import Dims

ORDERS = {"NCHW": "NCHW", "NC4HW4": "NCHW", "NHWC": "NHWC", "HWC": "HWC", "CHW": "CHW", "HW": "HW"}


def test_letters_of_the_axes() -> None:
    assert layouts.AXES == ORDERS
    assert frozenset({"NCHW", "CHW", "NC4HW4"}) == layouts.CHANNELS_FIRST
    assert frozenset({"NHWC", "HWC"}) == layouts.CHANNELS_LAST


def test_sizes_of_a_shape_are_found_by_its_letters() -> None:
    assert layouts.dims_of("NCHW", [2, 3, 5, 7]) == Dims(2, 3, 5, 7)
    assert layouts.dims_of("NC4HW4", [2, 3, 5, 7]) == Dims(2, 3, 5, 7)
    assert layouts.dims_of("NHWC", [2, 5, 7, 3]) == Dims(2, 3, 5, 7)
    assert layouts.dims_of("HWC", (5, 7, 3)) == Dims(1, 3, 5, 7)
    assert layouts.dims_of("CHW", (3, 5, 7)) == Dims(1, 3, 5, 7)
    assert layouts.dims_of("HW", (5, 7)) == Dims(1, 1, 5, 7)
    assert layouts.dims_of("NC1HWC2", (2, 3, 5, 7, 8)) == Dims(2, 24, 5, 7)


def test_a_shape_of_another_rank_has_no_such_sizes() -> None:
    ranks = {"NCHW": 4, "NC4HW4": 4, "NHWC": 4, "HWC": 3, "CHW": 3, "HW": 2, "NC1HWC2": 5, "UNDEFINED": -1}
    for layout, rank in ranks.items():
        for axes in range(7):
            found = layouts.dims_of(layout, [4] * axes)
            assert (found is not None) == (axes == rank), (layout, axes)


def test_elements_of_dims() -> None:
    assert Dims(2, 3, 5, 7).elements == 210


def test_the_shape_in_another_layout() -> None:
    one, many = Dims(1, 3, 5, 7), Dims(2, 3, 5, 7)
    shapes = {name: layouts.shape_in(name, many) for name in ORDERS}
    assert shapes == {
        "NCHW": (2, 3, 5, 7),
        "NC4HW4": (2, 3, 5, 7),
        "NHWC": (2, 5, 7, 3),
        "HWC": None,
        "CHW": None,
        "HW": None,
    }
    assert layouts.shape_in("HWC", one) == (5, 7, 3)
    assert layouts.shape_in("CHW", one) == (3, 5, 7)
    assert layouts.shape_in("HW", one) is None
    assert layouts.shape_in("HW", Dims(1, 1, 5, 7)) == (5, 7)
    assert layouts.shape_in("HW", Dims(2, 1, 5, 7)) is None
    assert layouts.shape_in("NC1HWC2", one) is None
    assert layouts.shape_in("UNDEFINED", one) is None


def test_elements_in_memory() -> None:
    """Only NC4HW4 pads: axis 1 up to a multiple of 4, at any rank from 2 (MNN's Tensor::size)."""
    assert layouts.elements("NCHW", [2, 3, 5, 7]) == 210
    assert layouts.elements("NHWC", [2, 5, 7, 3]) == 210
    assert layouts.elements("NC4HW4", [2, 3, 5, 7]) == 2 * 4 * 5 * 7
    assert layouts.elements("NC4HW4", [2, 5, 5, 7]) == 2 * 8 * 5 * 7
    assert layouts.elements("NC4HW4", [3, 4]) == 12
    assert layouts.elements("NC4HW4", [3, 6]) == 24
    assert layouts.elements("NC4HW4", [3]) == 3
    assert layouts.elements("NC4HW4", []) == 1
    assert layouts.elements("NCHW", [3, 6]) == 18


def test_rounding_up() -> None:
    assert [layouts.round_up(v, 4) for v in range(10)] == [0, 4, 4, 4, 4, 8, 8, 8, 8, 12]
    assert layouts.round_up(7, 1) == 7


def test_static_shapes_have_no_dynamic_and_no_empty_axis() -> None:
    assert layouts.is_static([1, 3, 5])
    assert layouts.is_static([])
    assert not layouts.is_static([1, -1])
    assert not layouts.is_static([0, 3])


def test_axes_longer_than_one() -> None:
    assert layouts.without_ones([1, 3, 1, 5, 0, -1]) == (3, 5, 0, -1)


def _order(layout: str, dims: Dims) -> list[int]:
    """What lies in memory where element (c, h, w) has the number c·H·W + h·W + w: numpy moves the axes."""
    picture = np.arange(dims.c * dims.h * dims.w).reshape(1, dims.c, dims.h, dims.w)
    letters = ORDERS[layout]
    moved = np.transpose(
        picture, ["NCHW".index(a) for a in letters] + ["NCHW".index(a) for a in "NCHW" if a not in letters]
    )
    return [int(v) for v in moved.ravel()]


def test_two_layouts_of_the_same_bytes_are_those_that_numpy_orders_alike() -> None:
    layouts_of_pictures = ("NCHW", "NHWC", "HWC", "CHW")
    for dims in (
        Dims(1, 3, 5, 7),
        Dims(1, 1, 5, 7),
        Dims(1, 3, 1, 1),
        Dims(1, 3, 1, 7),
        Dims(1, 3, 5, 1),
        Dims(1, 1, 1, 7),
    ):
        for one in layouts_of_pictures:
            for other in layouts_of_pictures:
                assert layouts.same_bytes(one, other, dims) == (_order(one, dims) == _order(other, dims)), (
                    one,
                    other,
                    dims,
                )
    assert layouts.same_bytes("HW", "NHWC", Dims(1, 1, 5, 7))
    assert not layouts.same_bytes("NCHW", "NHWC", Dims(4, 3, 5, 7))
    assert layouts.same_bytes("NCHW", "CHW", Dims(4, 3, 5, 7))  # of one picture


def test_layouts_without_named_axes_are_the_same_only_as_themselves() -> None:
    dims = Dims(1, 1, 5, 7)
    assert layouts.same_bytes("UNDEFINED", "UNDEFINED", dims)
    assert not layouts.same_bytes("UNDEFINED", "NCHW", dims)
    assert not layouts.same_bytes("NCHW", "NC1HWC2", dims)
    assert layouts.same_bytes("NC1HWC2", "NC1HWC2", dims)
