"""Properties of the arithmetic: bounds of quantisation, sizes as numpy allocates them, layouts there and back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.core import affine, dtypes, layouts, packing

CODES = st.sampled_from(["int8", "uint8", "int16", "uint16"])
SCALES = st.floats(1e-6, 1e3)


@given(CODES, SCALES, st.integers(-300, 300), st.floats(-1e6, 1e6))
def test_quantise_and_back(dtype: str, scale: float, zero_point: int, value: float) -> None:
    """Inside of the range at most half a step is lost; outside of it the nearest end comes back."""
    code = affine.quantize(value, dtype, scale, zero_point)
    info = np.iinfo(dtype)
    assert info.min <= code <= info.max
    low, high = affine.value_range(dtype, scale, zero_point) or (0.0, 0.0)
    assert (low, high) == ((info.min - zero_point) * scale, (info.max - zero_point) * scale)
    back = (code - zero_point) * scale
    room = 1e-9 * max(1.0, abs(value), abs(low), abs(high))
    if low <= value <= high:
        assert abs(back - value) <= scale / 2 + room
    else:
        assert math.isclose(back, low if value < low else high, rel_tol=1e-9, abs_tol=room)


@given(CODES, SCALES, st.integers(-200, 200), st.data())
def test_every_code_comes_back(dtype: str, scale: float, zero_point: int, data: st.DataObject) -> None:
    info = np.iinfo(dtype)
    code = data.draw(st.integers(int(info.min), int(info.max)))
    assert affine.quantize((code - zero_point) * scale, dtype, scale, zero_point) == code


@given(st.integers(0, 255), st.floats(0, 255), st.floats(0.5, 255), st.floats(1e-3, 1.0), st.integers(-128, 127))
def test_pixel_codes_are_near_the_textbook(pixel: int, mean: float, std: float, scale: float, zero_point: int) -> None:
    """Two roundings instead of one: at most one code apart, and the mean of the channel gets the zero point."""
    fast = affine.pixel_code(pixel, "int8", scale, zero_point, mean, std)
    book = affine.quantize((pixel - mean) / std, "int8", scale, zero_point)
    assert abs(fast - book) <= 1


@pytest.mark.parametrize(
    ("pixel", "scale", "zero_point", "mean", "std", "code"),
    [(0, 1.0, -128, 0.0, 1.0, -128), (255, 1.0, -128, 0.0, 1.0, 127), (10, 2.0, 0, 0.0, 1.0, 5), (10, 1.0, 0, 0.0, 4.0, 2), (6, 1.0, 0, 0.0, 4.0, 2),
     (128, 0.5, 3, 128.0, 1.0, 3), (255, 0.001, 0, 0.0, 1.0, 127), (0, 0.001, 0, 255.0, 1.0, -128), (100, 1.0, 5, 30.0, 2.0, 40)],
)  # fmt: skip
def test_pixel_codes(pixel: int, scale: float, zero_point: int, mean: float, std: float, code: int) -> None:
    assert affine.pixel_code(pixel, "int8", scale, zero_point, mean, std) == code


def test_ranges_of_types_without_codes() -> None:
    assert affine.value_range("float32", 1.0, 0) is None
    assert affine.pixel_range("float16", 1.0, 0, 0.0, 1.0) is None
    assert affine.dfp_range("int8", 7) == (-1.0, 127 / 128)
    assert affine.dfp_range("int16", -2) == (-32768 * 4.0, 32767 * 4.0)
    assert affine.pixel_range("int8", 1.0, -128, 0.0, 1.0) == (0.0, 255.0)
    assert affine.pixel_range("int8", 0.02, 0, 100.0, 50.0) == (100 - 128.0, 100 + 127.0)
    assert affine.pixel_range("int8", 1.0, 0, 10.0, -1.0) == (-117.0, 138.0)


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=5),
    st.sampled_from(sorted(d for d in dtypes.BITS if d not in ("bfloat16", "int4"))),
)
def test_sizes_are_numpys(shape: list[int], dtype: str) -> None:
    assert math.prod(shape) * dtypes.itemsize(dtype) == np.empty(shape, np.dtype(dtype)).nbytes


@given(st.integers(1, 5), st.integers(1, 7), st.integers(1, 7), st.integers(1, 7))
def test_layouts_there_and_back(n: int, c: int, h: int, w: int) -> None:
    for layout, shape in (("NCHW", [n, c, h, w]), ("NHWC", [n, h, w, c])):
        dims = layouts.dims_of(layout, shape)
        assert dims is not None
        assert (dims.n, dims.c, dims.h, dims.w) == (n, c, h, w)
        assert layouts.shape_in(layout, dims) == tuple(shape)
    array = np.arange(n * c * h * w, dtype=np.int32).reshape(n, c, h, w)
    for c2 in (4, 8, 16):
        assert np.array_equal(packing.unpack_nc1hwc2(packing.pack_nc1hwc2(array, c2), c), array)
        assert packing.pack_nc1hwc2(array, c2).nbytes == n * -(-c // c2) * h * w * c2 * 4
    assert np.array_equal(packing.unpack_nc4hw4(packing.pack_nc4hw4(array), c), array)


def test_dims_of_every_layout() -> None:
    """Each letter is taken from its own place; a packed shape has its channels multiplied."""
    assert tuple(_dims("NCHW", [2, 3, 5, 7])) == (2, 3, 5, 7)
    assert tuple(_dims("NHWC", [2, 5, 7, 3])) == (2, 3, 5, 7)
    assert tuple(_dims("CHW", [3, 5, 7])) == (1, 3, 5, 7)
    assert tuple(_dims("HWC", [5, 7, 3])) == (1, 3, 5, 7)
    assert tuple(_dims("HW", [5, 7])) == (1, 1, 5, 7)
    assert tuple(_dims("NC1HWC2", [2, 3, 5, 7, 16])) == (2, 48, 5, 7)
    assert layouts.dims_of("NCHW", [2, 3, 5]) is None
    assert layouts.dims_of("UNDEFINED", [2, 3, 5, 7]) is None


def _dims(layout: str, shape: list[int]) -> tuple[int, int, int, int]:
    found = layouts.dims_of(layout, shape)
    assert found is not None
    return found.n, found.c, found.h, found.w


def test_layouts_at_their_edges() -> None:
    assert layouts.is_static([1, 2]) and not layouts.is_static([1, 0]) and not layouts.is_static([1, -1])
    assert [layouts.round_up(v, 16) for v in (0, 1, 15, 16, 17)] == [0, 16, 16, 16, 32]
    assert layouts.without_ones([1, 3, 1, 2]) == (3, 2)
    assert layouts.elements("NC4HW4", [2, 3, 5, 7]) == 2 * 4 * 5 * 7
    assert layouts.elements("NC4HW4", [2, 5]) == 2 * 8
    assert layouts.elements("NC4HW4", [3]) == 3
    assert layouts.elements("NHWC", [2, 5, 7, 3]) == 210
    one = layouts.Dims(1, 3, 5, 7)
    assert one.elements == 105
    assert layouts.shape_in("CHW", one) == (3, 5, 7)
    assert layouts.shape_in("HW", one) is None
    assert layouts.shape_in("CHW", layouts.Dims(2, 3, 5, 7)) is None
    assert layouts.shape_in("NC1HWC2", one) is None
    assert layouts.same_bytes("NCHW", "NHWC", layouts.Dims(1, 1, 5, 7))
    assert layouts.same_bytes("NCHW", "NHWC", layouts.Dims(1, 3, 1, 1))
    assert not layouts.same_bytes("NCHW", "NHWC", one)
    assert layouts.same_bytes("NC1HWC2", "NC1HWC2", one) and not layouts.same_bytes("NC1HWC2", "NCHW", one)
    assert set(layouts.CHANNELS_LAST) == {"NHWC", "HWC"}
