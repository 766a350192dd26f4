"""Shapes after convolutions and poolings of MNN: the places where a window fits are counted one by one."""

from __future__ import annotations

from typing import Any

import pytest

from prepcheck.errors import CorruptError
from tests.readers.flat_builder import Tab
from tests.readers.mnn_parts import NC4HW4, NCHW, NHWC, ints, shape

CONV, CONV_DW, DECONV, DECONV_DW, CONV_INT8, DW_INT8 = 12, 13, 17, 18, 513, 515
POOL, POOL_INT8, POOL_3D = 47, 516, 112
EXPLICIT, VALID, SAME = 0, 1, 2
"""PadMode of Convolution2DCommon: CAFFE, VALID, SAME. PoolPadType: CAFFE, VALID, SAME. Source: CaffeOp.fbs."""

Told = tuple[str, tuple[int, ...]] | None


def places(size: int, reach: int, stride: int) -> int:
    """How many windows of `reach` fit into `size`, one every `stride`."""
    return len([at for at in range(0, size, stride) if at + reach <= size])


def common(**changes: int | tuple[int, ...]) -> Tab:
    """Convolution2DCommon: kernel 3 x 1, 5 outputs."""
    slots = {"pad": 0, "kernel": 2, "stride": 4, "dilate": 6}
    table: Tab = {2: ("i", 3), 3: ("i", 1), 10: ("i", 5), 11: ("i", 4)}
    for key, value in changes.items():
        if key in slots and isinstance(value, tuple):
            table |= {slots[key]: ("i", value[0]), slots[key] + 1: ("i", value[1])}
        elif key == "mode" and isinstance(value, int):
            table[8] = ("b", value)
        elif key == "known" and isinstance(value, int):
            table[16] = ("B", value)
        elif isinstance(value, tuple):
            table[{"pads": 14, "out_pads": 15}[key]] = ints(*value)
    return table


def conv(kind: int, axes: tuple[int, ...] | None, layout: int = NCHW, **changes: Any) -> Told:
    return shape(kind, (9, {0: common(**changes)}), axes, layouts=(layout,))


@pytest.mark.parametrize("kernel", [(3, 1), (1, 3), (5, 2)])
@pytest.mark.parametrize("stride", [(1, 1), (2, 3)])
@pytest.mark.parametrize("dilate", [(1, 1), (2, 3)])
def test_convolutions_with_explicit_padding(
    kernel: tuple[int, int], stride: tuple[int, int], dilate: tuple[int, int]
) -> None:
    """x comes first in the parameters, the height first in the axes."""
    reach_x, reach_y = (d * (k - 1) + 1 for k, d in zip(kernel, dilate, strict=True))
    top, left, bottom, right = 1, 2, 3, 5
    width, height = places(31 + left + right, reach_x, stride[0]), places(23 + top + bottom, reach_y, stride[1])
    same_x, same_y = places(31 + 4, reach_x, stride[0]), places(23 + 2, reach_y, stride[1])
    for kind in (CONV, CONV_DW, CONV_INT8, DW_INT8):
        changes: dict[str, Any] = {"kernel": kernel, "stride": stride, "dilate": dilate}
        assert conv(kind, (2, 4, 23, 31), pads=(top, left, bottom, right), **changes) == ("NCHW", (2, 5, height, width))
        assert conv(kind, (2, 4, 23, 31), NC4HW4, pad=(2, 1), **changes) == ("NC4HW4", (2, 5, same_y, same_x))
        valid = (2, 5, places(23, reach_y, stride[1]), places(31, reach_x, stride[0]))
        assert conv(kind, (2, 4, 23, 31), mode=VALID, pad=(9, 9), **changes) == ("NCHW", valid)
        same = (2, 5, places(23, 1, stride[1]), places(31, 1, stride[0]))  # one for every stride begun
        assert conv(kind, (2, 4, 23, 31), mode=SAME, pad=(9, 9), **changes) == ("NCHW", same)


@pytest.mark.parametrize("kind", [DECONV, DECONV_DW])
def test_transposed_convolutions_undo_convolutions(kind: int) -> None:
    """Window `at` of the larger size begins at at * stride: the last one ends where the padded size ends."""
    top, left, bottom, right = 1, 2, 0, 1
    for kernel, stride, dilate in (((3, 4), (2, 3), (1, 1)), ((2, 3), (1, 2), (3, 2)), ((4, 4), (4, 4), (1, 1))):
        reach_x, reach_y = (d * (k - 1) + 1 for k, d in zip(kernel, dilate, strict=True))
        width = max(at * stride[0] + reach_x for at in range(7)) - left - right
        height = max(at * stride[1] + reach_y for at in range(5)) - top - bottom
        changes: dict[str, Any] = {"kernel": kernel, "stride": stride, "dilate": dilate}
        got = conv(kind, (2, 4, 5, 7), pads=(top, left, bottom, right), **changes)
        assert got == ("NCHW", (2, 5, height, width))
        more = conv(kind, (2, 4, 5, 7), pads=(top, left, bottom, right), out_pads=(1, 2), **changes)
        assert more == ("NCHW", (2, 5, height + 1, width + 2))
        same = conv(kind, (2, 4, 5, 7), mode=SAME, pads=(top, left, bottom, right), out_pads=(1, 2), **changes)
        assert same == ("NCHW", (2, 5, 5 * stride[1], 7 * stride[0]))
    plain = conv(kind, (1, 4, 5, 7), NC4HW4, kernel=(3, 3), pad=(1, 0))
    assert plain == ("NC4HW4", (1, 5, 7, 7))
    assert conv(kind, (1, 4, 5, 7), mode=VALID, kernel=(3, 3)) == ("NCHW", (1, 5, 7, 9))


@pytest.mark.parametrize("kind", [CONV, DECONV])
def test_convolutions_that_are_not_told(kind: int) -> None:
    assert conv(kind, None) is None
    assert conv(kind, (1, 4, 8)) is None
    assert conv(kind, (1, 4, 8, 8, 8)) is None
    assert conv(kind, (1, 4, 8, 8), NHWC) is None
    assert conv(kind, (1, 4, 8, 8), known=1) is None  # the shape comes as a second tensor
    assert conv(kind, (1, 4, 8, 8), known=0) is not None
    assert shape(kind, None, (1, 4, 8, 8)) is None
    assert conv(CONV, (1, 4, 2, 2), kernel=(5, 5)) is None  # the window does not fit at all


# --- poolings -----------------------------------------------------------------------------------------------------------------


def pool(
    axes: tuple[int, ...] | None,
    layout: int = NCHW,
    *,
    kernel: tuple[int, int] = (3, 2),
    stride: tuple[int, int] = (1, 1),
    pad: tuple[int, int] = (0, 0),
    pads: tuple[int, ...] | None = None,
    mode: int = EXPLICIT,
    ceil: int | None = 0,
    whole: int = 0,
    kind: int = POOL,
) -> Told:
    main: Tab = {0: ("i", pad[0]), 1: ("i", pad[1]), 2: ("B", whole), 3: ("i", kernel[0]), 4: ("i", kernel[1])}
    main |= {5: ("i", stride[0]), 6: ("i", stride[1]), 8: ("b", mode)}
    if ceil is not None:
        main[10] = ("B", ceil)
    if pads is not None:
        main[11] = ints(*pads)
    return shape(kind, (31, main), axes, layouts=(layout,))


def begun(size: int, reach: int, stride: int) -> int:
    """Windows where the last may reach over the edge: one more where a rest is left."""
    count = places(size, reach, stride)
    return count + ((count - 1) * stride + reach < size)


@pytest.mark.parametrize("kernel,stride", [((3, 2), (1, 1)), ((3, 2), (2, 3)), ((2, 5), (3, 2)), ((4, 4), (4, 4))])
def test_poolings(kernel: tuple[int, int], stride: tuple[int, int]) -> None:
    (kx, ky), (sx, sy) = kernel, stride
    for kind in (POOL, POOL_INT8):

        def size(high: int, wide: int, kind: int = kind, **how: Any) -> tuple[int, ...]:
            got = pool((2, 4, high, wide), kernel=kernel, stride=stride, kind=kind, **how)
            last = pool((2, high, wide, 4), NHWC, kernel=kernel, stride=stride, kind=kind, **how)
            assert got is not None
            assert (got[0], got[1][:2]) == ("NCHW", (2, 4))
            assert last == ("NHWC", (2, *got[1][2:], 4))
            return got[1][2:]

        assert size(19, 26) == (places(19, ky, sy), places(26, kx, sx))
        assert size(19, 26, ceil=1) == size(19, 26, ceil=None) == (begun(19, ky, sy), begun(26, kx, sx))
        assert size(19, 26, pad=(1, 2)) == (places(23, ky, sy), places(28, kx, sx))
        assert size(19, 26, pads=(1, 2, 3, 5), pad=(9, 9)) == (places(23, ky, sy), places(33, kx, sx))
        assert size(19, 26, pads=(1, 3)) == (places(23, ky, sy), places(26, kx, sx))  # two numbers: above and below
        assert size(19, 26, pads=()) == size(19, 26, pads=(1, 2, 3)) == (places(19, ky, sy), places(26, kx, sx))
        assert size(19, 26, mode=VALID) == (places(19, ky, sy), places(26, kx, sx))
        assert size(19, 26, mode=SAME, ceil=1) == (places(19, 1, sy), places(26, 1, sx))


def test_a_window_larger_than_the_picture_is_cut_to_it() -> None:
    assert pool((1, 4, 2, 3), kernel=(9, 9), stride=(2, 2)) == ("NCHW", (1, 4, 1, 1))
    assert pool((1, 4, 2, 3), kernel=(9, 9), stride=(2, 2), mode=VALID) == ("NCHW", (1, 4, 1, 1))


def test_global_poolings() -> None:
    assert pool((2, 4, 7, 9), whole=1) == ("NCHW", (2, 4, 1, 1))
    assert pool((2, 4, 7, 9), NC4HW4, whole=1) == ("NC4HW4", (2, 4, 1, 1))
    assert pool((2, 7, 9, 4), NHWC, whole=1) == ("NHWC", (2, 1, 1, 4))


def test_poolings_that_are_not_told() -> None:
    for axes in (None, (1, 4, 8), (1, 4, 8, 8, 8)):
        assert pool(axes) is None
    assert shape(POOL, None, (1, 4, 8, 8)) is None
    assert pool((1, 4, 8, 8), stride=(0, 1)) is None


def pool_3d(
    axes: tuple[int, ...] | None,
    layout: int = NCHW,
    *,
    kernels: tuple[int, ...] | None = (2, 3, 4),
    strides: tuple[int, ...] | None = (1, 2, 3),
    pads: tuple[int, ...] | None = None,
    mode: int = EXPLICIT,
    whole: int = 0,
) -> Told:
    main: Tab = {4: ("b", mode), 5: ("B", whole)}
    main |= {slot: ints(*v) for slot, v in ((0, strides), (1, kernels), (2, pads)) if v is not None}
    return shape(POOL_3D, (79, main), axes, layouts=(layout,))


def test_poolings_of_three_axes() -> None:
    sizes, windows, steps = (9, 12, 17), (2, 3, 4), (1, 2, 3)

    def each(more: tuple[int, ...], windows: tuple[int, ...] = windows) -> tuple[int, ...]:
        return tuple(places(s + 2 * p, k, t) for s, p, k, t in zip(sizes, more, windows, steps, strict=True))

    for mode in (EXPLICIT, VALID):
        assert pool_3d((2, 5, *sizes), mode=mode) == ("NCHW", (2, 5, *each((0, 0, 0))))
    assert pool_3d((2, *sizes, 5), NHWC) == ("NHWC", (2, *each((0, 0, 0)), 5))
    assert pool_3d((2, 5, *sizes), pads=(1, 0, 2)) == ("NCHW", (2, 5, *each((1, 0, 2))))
    assert pool_3d((2, 5, *sizes), pads=(1, 0, 2), mode=VALID) == ("NCHW", (2, 5, *each((0, 0, 0))))
    assert pool_3d((2, 5, *sizes), pads=(1, 0, 2), mode=SAME) == ("NCHW", (2, 5, *each((0, 0, 0), (1, 1, 1))))
    assert pool_3d((2, 5, *sizes), whole=1, kernels=None, strides=None) == ("NCHW", (2, 5, 1, 1, 1))
    assert pool_3d((2, *sizes, 5), NHWC, whole=1) == ("NHWC", (2, 1, 1, 1, 5))
    assert pool_3d((2, 5, 9), kernels=(2,), strides=(3,)) == ("NCHW", (2, 5, places(9, 2, 3)))
    assert pool_3d((2, 9, 5), NHWC, whole=1) == ("NHWC", (2, 1, 5))


def test_poolings_of_three_axes_that_are_not_told() -> None:
    for axes in (None, (2, 5)):
        assert pool_3d(axes) is None
        assert pool_3d(axes, whole=1) is None
    assert shape(POOL_3D, None, (1, 4, 8, 8)) is None
    for missing in (
        {"kernels": None},
        {"strides": None},
        {"kernels": (1,)},
        {"strides": (1, 1)},
        {"strides": (0, 1, 1)},
    ):
        assert pool_3d((2, 5, 9, 9, 9), **missing) is None


@pytest.mark.parametrize("kind,union,slot", [(POOL, 31, 11), (POOL_3D, 79, 0), (POOL_3D, 79, 1), (POOL_3D, 79, 2)])
def test_lists_of_more_than_64_numbers_are_damage(kind: int, union: int, slot: int) -> None:
    fill: Tab = {k: ints(1, 1) for k in (0, 1, 2)} if kind == POOL_3D else {5: ("i", 1), 6: ("i", 1)}
    shape(kind, (union, fill | {slot: ints(*(1,) * 64)}), (1, 1, 1, 1))
    with pytest.raises(CorruptError, match="at most 64 elements"):
        shape(kind, (union, fill | {slot: ints(*(1,) * 65)}), (1, 1, 1, 1))
