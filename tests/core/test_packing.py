"""NC4HW4 and NC1HWC2: inverses of each other's reading, zero padding, the published index formula."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from prepcheck.core.packing import pack_nc1hwc2, pack_nc4hw4, unpack_nc1hwc2, unpack_nc4hw4
from prepcheck.errors import UsageError

SHAPES = st.tuples(st.integers(1, 3), st.integers(1, 19), st.integers(1, 4), st.integers(1, 5))
DTYPES = st.sampled_from(["uint8", "int8", "float16", "float32", "int64", "bool", ">f4"])


def _array(shape: tuple[int, ...], dtype: str) -> NDArray[np.generic]:
    values = np.arange(1, np.prod(shape) + 1).reshape(shape)
    return (values % 120 + 1).astype(dtype)


@given(SHAPES, DTYPES, st.sampled_from([4, 8, 16]))
def test_nc4hw4_round_trip(shape: tuple[int, int, int, int], dtype: str, lanes: int) -> None:
    array = _array(shape, dtype)
    packed = pack_nc4hw4(array, lanes)
    n, c, h, w = shape
    assert packed.shape == (-(-c // lanes), n, h, w, lanes)
    assert packed.dtype == array.dtype
    assert packed.flags.c_contiguous
    assert np.array_equal(unpack_nc4hw4(packed, c), array)
    assert np.count_nonzero(packed) == array.size


@given(SHAPES, DTYPES, st.integers(1, 17))
def test_nc1hwc2_round_trip(shape: tuple[int, int, int, int], dtype: str, c2: int) -> None:
    array = _array(shape, dtype)
    packed = pack_nc1hwc2(array, c2)
    n, c, h, w = shape
    assert packed.shape == (n, -(-c // c2), h, w, c2)
    assert packed.dtype == array.dtype
    assert np.array_equal(unpack_nc1hwc2(packed, c), array)
    assert np.count_nonzero(packed) == array.size


@given(SHAPES)
def test_nc4hw4_index_formula(shape: tuple[int, int, int, int]) -> None:
    n_all, c_all, h_all, w_all = shape
    array = np.arange(np.prod(shape), dtype=np.int32).reshape(shape) + 1
    flat = pack_nc4hw4(array).reshape(-1)
    n, c, h, w = np.indices(shape)
    index = (((c // 4) * n_all + n) * h_all * w_all + h * w_all + w) * 4 + c % 4
    assert np.array_equal(flat[index], array)
    assert flat.size == 4 * -(-c_all // 4) * n_all * h_all * w_all


def test_worked_example() -> None:
    """N=2, C=5, H=1, W=2, value 100n + 10c + w: equal to the memory of MNN 3.6.1."""
    n, c, _, w = np.indices((2, 5, 1, 2))
    first = [0, 10, 20, 30, 1, 11, 21, 31, 100, 110, 120, 130, 101, 111, 121, 131]
    second = [40, 0, 0, 0, 41, 0, 0, 0, 140, 0, 0, 0, 141, 0, 0, 0]
    assert pack_nc4hw4(100 * n + 10 * c + w).reshape(-1).tolist() == first + second


def test_non_contiguous_source() -> None:
    array = np.arange(240).reshape(2, 4, 5, 6)[:, ::-1, :, ::2]
    assert np.array_equal(unpack_nc4hw4(pack_nc4hw4(array), 4), array)


@pytest.mark.parametrize("channels", [0, 4, 9])
def test_channels_that_do_not_belong(channels: int) -> None:
    with pytest.raises(UsageError, match="blocks"):
        unpack_nc4hw4(np.zeros((2, 1, 3, 3, 4)), channels)
    with pytest.raises(UsageError, match="blocks"):
        unpack_nc1hwc2(np.zeros((1, 2, 3, 3, 4)), channels)


def test_wrong_rank() -> None:
    with pytest.raises(UsageError):
        pack_nc4hw4(np.zeros((3, 4, 5)))
    with pytest.raises(UsageError):
        pack_nc1hwc2(np.zeros((1, 3, 4, 5)), 0)
    with pytest.raises(UsageError):
        unpack_nc1hwc2(np.zeros((3, 4, 5, 8)), 3)


def test_worked_example_of_nc1hwc2() -> None:
    """N=2, C=3, H=1, W=2 in blocks of 2: inside a picture block after block, in a block pixel after pixel."""
    n, c, _, w = np.indices((2, 3, 1, 2))
    packed = pack_nc1hwc2(100 * n + 10 * c + w, 2)
    first = [0, 10, 1, 11, 20, 0, 21, 0]
    second = [100, 110, 101, 111, 120, 0, 121, 0]
    assert packed.shape == (2, 2, 1, 2, 2)
    assert packed.reshape(-1).tolist() == first + second


def test_packing_and_unpacking_give_new_contiguous_arrays_of_the_same_type() -> None:
    array = _array((2, 5, 3, 4), "float16")[:, :, ::-1]
    for packed, unpack in ((pack_nc4hw4(array), unpack_nc4hw4), (pack_nc1hwc2(array, 4), unpack_nc1hwc2)):
        whole = unpack(packed, 5)
        for result in (packed, whole):
            assert result.dtype == np.float16
            assert result.flags.c_contiguous
            assert not np.shares_memory(result, array)
        assert np.array_equal(whole, array)
        assert not np.shares_memory(whole, packed)


def test_whole_blocks_and_one_channel_a_block_need_no_padding() -> None:
    array = _array((1, 8, 2, 3), "uint8")
    assert pack_nc4hw4(array).shape == (2, 1, 2, 3, 4)
    assert pack_nc4hw4(array, 1).shape == (8, 1, 2, 3, 1)
    assert pack_nc1hwc2(array, 8).shape == (1, 1, 2, 3, 8)
    assert np.array_equal(unpack_nc4hw4(pack_nc4hw4(array), 8), array)
    assert np.array_equal(unpack_nc1hwc2(pack_nc1hwc2(array, 1), 8), array)


def test_channels_of_the_last_block_from_one_to_all() -> None:
    for channels in (5, 6, 7, 8):
        assert unpack_nc4hw4(np.zeros((2, 1, 3, 3, 4)), channels).shape == (1, channels, 3, 3)
        assert unpack_nc1hwc2(np.zeros((1, 2, 3, 3, 4)), channels).shape == (1, channels, 3, 3)


def test_refusals_name_both_numbers() -> None:
    with pytest.raises(UsageError, match=r"9 channels do not take 2 blocks of 4 \(\(2, 1, 3, 3, 4\)\)"):
        unpack_nc4hw4(np.zeros((2, 1, 3, 3, 4)), 9)
    with pytest.raises(UsageError, match=r"9 channels do not take 2 blocks of 4 \(\(1, 2, 3, 3, 4\)\)"):
        unpack_nc1hwc2(np.zeros((1, 2, 3, 3, 4)), 9)
    for unpack in (unpack_nc4hw4, unpack_nc1hwc2):
        with pytest.raises(UsageError, match=r"has 5 axes, not 4 \(\(3, 4, 5, 8\)\)"):
            unpack(np.zeros((3, 4, 5, 8)), 3)
        for rank in (0, 1):
            with pytest.raises(UsageError, match=f"has 5 axes, not {rank}"):
                unpack(np.zeros((1,) * rank), 3)
    with pytest.raises(UsageError, match=r"not \(1, 3, 4, 5\) and 0"):
        pack_nc4hw4(np.zeros((1, 3, 4, 5)), 0)
    with pytest.raises(UsageError, match=r"not \(3, 4, 5\) and 8"):
        pack_nc1hwc2(np.zeros((3, 4, 5)), 8)
