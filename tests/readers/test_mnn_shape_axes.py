"""Shapes after MNN's operators that move, join, split or drop axes: against numpy, or by MNN's rule where it has its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from prepcheck.errors import CorruptError
from tests.readers.flat_builder import Tab
from tests.readers.mnn_parts import NC4HW4, NCHW, NHWC, const, given, graph, ints, op, shape

BINARY, ELTWISE, FLATTEN, RESHAPE, PERMUTE, CONCAT, SLICE = 7, 22, 28, 73, 46, 10, 83
SQUEEZE, UNSQUEEZE, REDUCTION, MAT_MUL, BATCH_MAT_MUL, CONVERT = 90, 107, 68, 39, 106, 129

Axes = tuple[int, ...]


def nchw(*axes: int) -> tuple[str, Axes]:
    return "NCHW", axes


# --- two tensors, element by element -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "a,b",
    [((2, 3, 4), (3, 1)), ((4,), (2, 3, 4)), ((1, 3), (2, 1)), ((5, 1, 7), (6, 7)), ((2, 2), (2, 2)), ((1,), (9,))],
)
def test_broadcast_as_numpy_does(a: Axes, b: Axes) -> None:
    wanted = np.broadcast_shapes(a, b)
    assert shape(BINARY, None, a, b) == shape(ELTWISE, None, a, b) == nchw(*wanted)


def test_the_layout_is_that_of_the_tensor_with_more_axes_or_the_first() -> None:
    assert shape(BINARY, None, (2, 3, 4), (4,), layouts=(NHWC, NCHW)) == ("NHWC", (2, 3, 4))
    assert shape(BINARY, None, (4,), (2, 3, 4), layouts=(NCHW, NHWC)) == ("NHWC", (2, 3, 4))
    assert shape(BINARY, None, (1, 3), (2, 1), layouts=(NC4HW4, NHWC)) == ("NC4HW4", (2, 3))


def test_what_cannot_be_broadcast_is_not_told() -> None:
    assert shape(BINARY, None, (2, 3), (2, 4)) is None
    assert shape(BINARY, None, (2, 3)) is None
    assert shape(BINARY, None, None, (2, 3)) is None
    assert shape(BINARY, None, (2, 3), None) is None
    assert shape(BINARY, None, (2, 3), (3,), (9, 9)) == nchw(2, 3)  # the third is not looked at


# --- Flatten and Reshape ---------------------------------------------------------------------------------------------


def flatten(axis: int, end: int, *axes: int, layout: int = NCHW) -> tuple[str, Axes] | None:
    return shape(FLATTEN, (17, {0: ("i", axis), 1: ("i", end)}), axes, layouts=(layout,))


def test_flatten_of_onnx_makes_two_axes() -> None:
    """ONNX Flatten: the axes before `axis`, and the rest. MNN keeps it as endAxis 0."""
    for axis, wanted in ((0, (1, 120)), (1, (2, 60)), (2, (6, 20)), (3, (24, 5)), (-1, (24, 5)), (-3, (2, 60))):
        assert flatten(axis, 0, 2, 3, 4, 5) == nchw(*wanted)


def test_flatten_from_one_axis_to_another() -> None:
    """torch.flatten(start_dim, end_dim): both ends belong to it."""
    for axis, end, wanted in (
        (1, 2, (2, 12, 5)),
        (0, 2, (24, 5)),
        (1, -1, (2, 60)),
        (-3, -2, (2, 12, 5)),
        (0, 1, (6, 4, 5)),
    ):
        assert flatten(axis, end, 2, 3, 4, 5) == nchw(*wanted)
    assert flatten(1, 2, 2, 3, 4, 5, layout=NHWC) == ("NHWC", (2, 12, 5))
    assert flatten(1, 0, 2, 3, 4, layout=NC4HW4) == ("NC4HW4", (2, 12))
    assert shape(FLATTEN, None, (2, 3)) is None
    assert shape(FLATTEN, (17, {0: ("i", 1), 1: ("i", 0)}), None) is None


def reshape(
    dims: Sequence[int] | None, axes: Axes, *, layout: int = NCHW, order: int = 0, constant: Axes | None = None
) -> tuple[str, Axes] | None:
    main: Tab = {1: ("b", order)}
    if dims is not None:
        main[0] = ints(*dims)
    return shape(RESHAPE, (55, main), axes, layouts=(layout,), constant=constant)


@pytest.mark.parametrize(
    "dims,wanted",
    [
        ((24,), (24,)),
        ((-1,), (24,)),
        ((4, 6), (4, 6)),
        ((0, -1), (2, 12)),  # 0 keeps the axis of that place
        ((0, 0, 0), (2, 3, 4)),
        ((0, 0, -1), (2, 3, 4)),
        ((-1, 3, 2), (4, 3, 2)),
        ((2, 3, -1, 1), (2, 3, 4, 1)),
        ((5, 5), None),
        ((2, 3), None),
        ((2, 3, 4, 0), None),
        ((5, -1), None),
    ],
)
def test_reshape(dims: Axes, wanted: Axes | None) -> None:
    for layout, name in ((NCHW, "NCHW"), (NHWC, "NHWC"), (NC4HW4, "NC4HW4")):
        shown = None if wanted is None else (name, wanted)
        assert reshape(dims, (2, 3, 4), layout=layout) == shown
        assert reshape(None, (2, 3, 4), layout=layout, constant=dims) == shown
        assert reshape((9, 9), (2, 3, 4), layout=layout, constant=dims) == shown  # the constant goes first


def test_a_constant_of_tensorflow_names_the_axes_of_nc4hw4_in_nhwc_order() -> None:
    """dimType 1: the four numbers are N, H, W, C. Only where they come as a tensor, and only in NC4HW4."""
    axes, numbers = (1, 8, 2, 3), (1, 4, 12, 1)
    assert reshape(None, axes, layout=NC4HW4, order=1, constant=numbers) == ("NC4HW4", (1, 1, 4, 12))
    assert reshape(None, axes, layout=NC4HW4, order=1, constant=(4, 2, 3, 2)) == ("NC4HW4", (4, 2, 2, 3))
    assert reshape(None, axes, layout=NC4HW4, order=0, constant=numbers) == ("NC4HW4", numbers)
    assert reshape(None, axes, layout=NCHW, order=1, constant=numbers) == ("NCHW", numbers)
    assert reshape(numbers, axes, layout=NC4HW4, order=1) == ("NC4HW4", numbers)
    assert reshape(None, axes, layout=NC4HW4, order=1, constant=(6, 8)) is None
    assert reshape(None, axes, layout=NC4HW4, order=1, constant=(1, 1, 1, 6, 8)) is None


def test_reshape_needs_its_parameters() -> None:
    assert shape(RESHAPE, None, (2, 3)) is None
    assert shape(RESHAPE, (55, {0: ints(6)}), None) is None
    assert reshape(None, (2, 3)) is None
    assert shape(RESHAPE, (55, {0: ints(6)}), (2, 3), (6,)) is None  # the second input is no constant


# --- the order of axes ------------------------------------------------------------------------------------------------


def permute(dims: Axes | None, axes: Axes, layout: int = NCHW) -> tuple[str, Axes] | None:
    return shape(PERMUTE, (29, {} if dims is None else {0: ints(*dims)}), axes, layouts=(layout,))


def test_permute_as_numpys_transpose() -> None:
    whole = np.zeros((2, 3, 4, 5))
    orders: tuple[Axes | None, ...] = ((0, 3, 1, 2), (0, 2, 3, 1), (3, 2, 1, 0), None)
    for order in orders:
        assert permute(order, whole.shape) == nchw(*whole.transpose(order).shape)
    assert permute((1, 0), (2, 3), NHWC) == ("NHWC", (3, 2))
    assert permute(None, (2, 3), NHWC) == ("NHWC", (3, 2))
    for odd in ((0, 1), (0, 1, 2, 3), (0, 1, 7)):
        assert permute(odd, (2, 3, 4)) is None
    assert shape(PERMUTE, None, (2, 3)) is None
    assert shape(PERMUTE, (29, {}), None) is None


@pytest.mark.parametrize(
    "before,after,axes,wanted",
    [
        (NHWC, NCHW, (2, 5, 7, 3), (2, 3, 5, 7)),
        (NHWC, NC4HW4, (2, 5, 7, 3), (2, 3, 5, 7)),
        (NCHW, NHWC, (2, 3, 5, 7), (2, 5, 7, 3)),
        (NC4HW4, NHWC, (2, 3, 5, 7), (2, 5, 7, 3)),
        (NCHW, NC4HW4, (2, 3, 5, 7), (2, 3, 5, 7)),
        (NHWC, NHWC, (2, 3, 5, 7), (2, 3, 5, 7)),
        (NHWC, NCHW, (2, 5, 3), (2, 3, 5)),
        (NCHW, NHWC, (2, 3, 5), (2, 5, 3)),
        (NHWC, NCHW, (2, 3), (2, 3)),
        (NCHW, NHWC, (2, 3), (2, 3)),
    ],
)
def test_conversions_of_the_layout(before: int, after: int, axes: Axes, wanted: Axes) -> None:
    name = ("NCHW", "NHWC", "NC4HW4")[after]
    assert shape(CONVERT, (66, {1: ("b", after)}), axes, layouts=(before,)) == (name, wanted)


def test_a_conversion_needs_its_parameters() -> None:
    assert shape(CONVERT, (66, {1: ("b", 9)}), (2, 3, 4)) == ("UNDEFINED", (2, 3, 4))
    assert shape(CONVERT, None, (2, 3, 4)) is None
    assert shape(CONVERT, (66, {1: ("b", 0)}), None) is None
    assert shape(CONVERT, (66, {0: ("b", 1)}), (2, 3, 4)) == nchw(2, 3, 4)  # the source's layout says nothing


# --- joining and splitting ----------------------------------------------------------------------------------------------


def concat(axis: int, *axes: Axes | None, layouts: Axes = ()) -> tuple[str, Axes] | None:
    return shape(CONCAT, (4, {0: ("i", axis)}), *axes, layouts=layouts)


def test_concat_as_numpy_does() -> None:
    parts = [np.zeros((2, n, 4)) for n in (1, 3, 5)]
    for axis in (1, -2):
        assert concat(axis, *(p.shape for p in parts)) == nchw(*np.concatenate(parts, axis).shape)
    assert concat(0, (2, 3), (4, 3)) == nchw(6, 3)
    assert concat(-1, (2, 3), (2, 4), layouts=(NHWC, NHWC)) == ("NHWC", (2, 7))
    assert concat(0, (2, 3)) == nchw(2, 3)


def test_concat_of_what_does_not_fit_is_not_told() -> None:
    assert concat(0, (2, 3), None) is None
    assert concat(0, None, (2, 3)) is None
    assert concat(0, (2, 3), (2, 3, 4)) is None
    assert concat(0, (2, 3), (2, 3), layouts=(NCHW, NHWC)) is None
    assert concat(5, (2, 3), (2, 3)) is None
    assert shape(CONCAT, None, (2, 3), (2, 3)) is None
    assert concat(0) is None


def split(
    axis: int, points: Axes | None, source: int, outputs: int, axes: Axes | None = (2, 10, 4), extra: bool = False
) -> list[Axes | None]:
    """Shapes of all outputs."""
    main: Tab = {0: ("i", axis), 2: ("b", source)}
    if points is not None:
        main[1] = ints(*points)
    first = given(0, axes, NHWC) if axes is not None else op(999, outputs=(0,))
    numbers = range(2, 2 + outputs)
    ops = [first, const(1, (1,)), op(SLICE, (0, 1) if extra else (0,), numbers, (61, main))]
    found = graph(ops, 2 + outputs).shapes
    assert {found[k].layout for k in numbers if k in found} <= {"NHWC"}
    return [found[k].axes if k in found else None for k in numbers]


def test_slice_points_of_caffe_are_positions() -> None:
    whole = np.zeros((2, 10, 4))
    for axis in (1, -2):
        wanted = [p.shape for p in np.split(whole, [3, 7], axis)]
        assert split(axis, (3, 7), 0, 3) == wanted
    assert split(1, (4,), 0, 2) == [(2, 4, 4), (2, 6, 4)]
    assert split(0, (1,), 0, 2) == [(1, 10, 4), (1, 10, 4)]
    assert split(2, (1, 3), 0, 2) == [(2, 10, 1), (2, 10, 2)]  # MNN's operator may write fewer


def test_slice_points_of_others_are_lengths() -> None:
    for source in (1, 3):
        assert split(1, (3, 5, 2), source, 3) == [(2, 3, 4), (2, 5, 4), (2, 2, 4)]
        assert split(1, (3, -1, 2), source, 3) == [(2, 3, 4), (2, 5, 4), (2, 2, 4)]
        assert split(1, (3, 7), source, 2) == [(2, 3, 4), (2, 7, 4)]
        assert split(1, (5,), source, 2) == [None, None]  # a count or a length, by framework and version


def test_a_slice_that_does_not_fit_is_not_told() -> None:
    assert split(1, (3,), 0, 3) == [None] * 3
    assert split(1, None, 0, 2) == [None] * 2
    assert split(1, (3,), 0, 2, axes=None) == [None] * 2
    assert split(1, (3,), 0, 2, extra=True) == [None] * 2
    assert shape(SLICE, None, (2, 3)) is None


# --- axes of length one ---------------------------------------------------------------------------------------------------


def one(kind: int, dims: Axes | None, axes: Axes | None, constant: Axes | None = None) -> tuple[str, Axes] | None:
    main: Tab = {} if dims is None else {0: ints(*dims)}
    return shape(kind, (64, main), axes, layouts=(NHWC,), constant=constant)


def test_squeeze_as_numpy_does() -> None:
    whole = np.zeros((1, 3, 1, 4, 1))
    for dims in ((0,), (2,), (-1,), (0, 4), (-1, -3)):
        wanted = ("NHWC", np.squeeze(whole, dims).shape)
        assert one(SQUEEZE, dims, whole.shape) == one(SQUEEZE, None, whole.shape, constant=dims) == wanted
        assert one(SQUEEZE, (9,), whole.shape, constant=dims) == wanted  # the constant goes first
    for none in (None, ()):
        assert one(SQUEEZE, none, whole.shape) == ("NHWC", (3, 4))
    assert shape(SQUEEZE, None, (1, 3)) == nchw(3)


def test_unsqueeze_as_numpy_does() -> None:
    whole = np.zeros((3, 4))
    for dims in ((0,), (1,), (-1,), (0, 3), (-1, 1), (0, 1, 2)):
        wanted = ("NHWC", np.expand_dims(whole, dims).shape)
        assert one(UNSQUEEZE, dims, whole.shape) == one(UNSQUEEZE, None, whole.shape, constant=dims) == wanted
    for odd in (None, (), (0, 0)):
        assert one(UNSQUEEZE, odd, whole.shape) is None


def test_axes_that_are_not_known() -> None:
    for kind in (SQUEEZE, UNSQUEEZE):
        assert one(kind, (0,), None) is None
        assert shape(kind, (64, {0: ints(0)}), (1, 3), (1,)) is None  # named by a tensor that is no constant


def reduced(dims: Axes | None, keep: int, axes: Axes | None, constant: Axes | None = None) -> tuple[str, Axes] | None:
    main: Tab = {3: ("B", keep)}
    if dims is not None:
        main[1] = ints(*dims)
    return shape(REDUCTION, (50, main), axes, layouts=(NHWC,), constant=constant)


def test_reductions_as_numpy_does() -> None:
    whole = np.zeros((2, 3, 4, 5))
    for dims in ((0,), (1,), (-1,), (2, 3), (-2, 0), None):
        for keep in (0, 1):
            wanted = ("NHWC", whole.sum(dims, keepdims=bool(keep)).shape)
            if wanted[1]:
                assert reduced(dims, keep, whole.shape) == wanted
                if dims is not None:
                    assert reduced(None, keep, whole.shape, constant=dims) == wanted
    assert reduced(None, 0, (2, 3)) == ("NHWC", ())
    assert reduced((0,), 0, None) is None
    assert shape(REDUCTION, None, (2, 3)) is None
    assert shape(REDUCTION, (50, {1: ints(0)}), (2, 3), (1,)) is None


# --- products of matrices ---------------------------------------------------------------------------------------------------


def product(batched: bool, left: int, right: int, *axes: Axes | None, layouts: Axes = ()) -> tuple[str, Axes] | None:
    if batched:
        return shape(BATCH_MAT_MUL, (73, {0: ("B", left), 1: ("B", right)}), *axes, layouts=layouts)
    return shape(MAT_MUL, (25, {0: ("i", 1), 1: ("B", left), 2: ("B", right)}), *axes, layouts=layouts)


@pytest.mark.parametrize("batched", [False, True])
def test_products_as_numpy_does(batched: bool) -> None:
    for a, b in (
        ((2, 3), (3, 4)),
        ((5, 2, 3), (5, 3, 4)),
        ((7, 1, 2, 3), (5, 3, 4)),
        ((2, 3), (6, 3, 4)),
        ((1, 2, 3), (3, 4)),
    ):
        wanted = np.matmul(np.zeros(a), np.zeros(b)).shape
        turned_a, turned_b = (*a[:-2], a[-1], a[-2]), (*b[:-2], b[-1], b[-2])
        assert product(batched, 0, 0, a, b) == nchw(*wanted)
        assert product(batched, 1, 0, turned_a, b) == nchw(*wanted)
        assert product(batched, 0, 1, a, turned_b) == nchw(*wanted)
        assert product(batched, 1, 1, turned_a, turned_b) == nchw(*wanted)


@pytest.mark.parametrize("batched", [False, True])
def test_products_that_do_not_fit_are_not_told(batched: bool) -> None:
    for axes in (((2, 3), (4, 5)), ((3,), (3, 4)), ((2, 3), (3,)), (None, (3, 4)), ((2, 3), None), ((2, 3),)):
        assert product(batched, 0, 0, *axes) is None
    for layouts in ((NC4HW4, NCHW), (NCHW, NC4HW4)):
        assert product(batched, 0, 0, (2, 3), (3, 4), layouts=layouts) is None
    assert product(batched, 0, 0, (2, 3), (3, 4), layouts=(NHWC, NCHW)) == ("NHWC", (2, 4))
    assert product(batched, 0, 0, (2, 3), (3, 4), (9,)) == nchw(2, 4)
    kind = BATCH_MAT_MUL if batched else MAT_MUL
    assert shape(kind, None, (2, 3), (3, 4)) is None
    assert shape(kind, (25 if batched else 73, {}), (2, 3), (3, 4)) is None  # parameters of the other kind


# --- limits -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind,union,slot",
    [(RESHAPE, 55, 0), (PERMUTE, 29, 0), (SLICE, 61, 1), (SQUEEZE, 64, 0), (UNSQUEEZE, 64, 0), (REDUCTION, 50, 1)],
)
def test_lists_of_more_than_64_axes_are_damage(kind: int, union: int, slot: int) -> None:
    shape(kind, (union, {slot: ints(*(1,) * 64)}), (1, 1))
    with pytest.raises(CorruptError, match="at most 64 elements"):
        shape(kind, (union, {slot: ints(*(1,) * 65)}), (1, 1))
