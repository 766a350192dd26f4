"""Codes and the values that they hold: against numpy's rint and clip, and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from prepcheck.core import affine


def test_range_of_values() -> None:
    """(qmin − zp)·scale … (qmax − zp)·scale."""
    assert affine.value_range("int8", 0.5, -28) == (-50.0, 77.5)
    assert affine.value_range("uint8", 0.25, 4) == (-1.0, 62.75)
    assert affine.value_range("int16", 2.0, 0) == (-65536.0, 65534.0)
    assert affine.value_range("float32", 0.5, 0) is None


def test_range_of_dynamic_fixed_point() -> None:
    """code · 2^−fl: int8 with fl 7 holds −1 … 127/128, with fl −1 −256 … 254."""
    assert affine.dfp_range("int8", 7) == (-1.0, 127 / 128)
    assert affine.dfp_range("int8", -1) == (-256.0, 254.0)
    assert affine.dfp_range("float16", 7) is None


def test_ties_go_to_the_even_neighbour() -> None:
    values = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.4999, 2.5001]
    assert [affine.round_half_even(v) for v in values] == [int(v) for v in np.rint(values)]


@pytest.mark.parametrize(
    ("dtype", "scale", "zero_point"), [("int8", 0.5, -28), ("uint8", 0.25, 131), ("int16", 0.01, 5)]
)
def test_textbook_code(dtype: str, scale: float, zero_point: int) -> None:
    values = np.arange(-80, 81) * 0.625
    limits = np.iinfo(dtype)
    expected = np.clip(np.rint(values / scale) + zero_point, limits.min, limits.max).astype(int)
    assert [affine.quantize(float(v), dtype, scale, zero_point) for v in values] == expected.tolist()


@pytest.mark.parametrize(
    ("dtype", "scale", "zero_point", "mean", "std"),
    [("int8", 0.018658, -14, 123.675, 58.395), ("uint8", 0.0078125, 127, 127.5, 127.5), ("int8", 1.0, -128, 0.0, 1.0),
     ("int8", 0.01, 3, 100.0, 50.0)],
)  # fmt: skip
def test_code_of_a_pixel_rounds_step_and_offset_apart(
    dtype: str, scale: float, zero_point: int, mean: float, std: float
) -> None:
    pixels = np.arange(256)
    step = 1 / (std * scale)
    limits = np.iinfo(dtype)
    expected = np.clip(np.rint(pixels * step) + np.rint(zero_point - mean * step), limits.min, limits.max).astype(int)
    found = [affine.pixel_code(float(p), dtype, scale, zero_point, mean, std) for p in pixels]
    assert found == expected.tolist()


def test_a_pixel_is_not_normalised_unless_told() -> None:
    """mean 0, std 1: at scale 1 and zero point −128 the code is the pixel less 128."""
    assert [affine.pixel_code(p, "int8", 1.0, -128) for p in (0.0, 1.0, 200.0, 255.0)] == [-128, -127, 72, 127]
    assert affine.pixel_code(300.0, "int8", 1.0, -128) == 127


def test_floats_have_no_codes() -> None:
    assert affine.quantize(7.0, "float32", 1.0, 0) == 0
    assert affine.quantize(-7.0, "float32", 1.0, 0) == 0
    assert affine.pixel_code(7.0, "float32", 1.0, 0) == 0
    assert affine.pixel_code(-7.0, "float32", 1.0, 0) == 0
    assert affine.pixel_range("float16", 1.0, 0, 0.0, 1.0) is None


def test_pixels_that_the_codes_hold() -> None:
    """mean + std · (−128 − zp)·scale … mean + std · (127 − zp)·scale, the smaller end first."""
    assert affine.pixel_range("int8", 0.5, -28, 100.0, 2.0) == (0.0, 255.0)
    assert affine.pixel_range("int8", 0.5, -28, 100.0, -2.0) == (-55.0, 200.0)
    assert affine.pixel_range("uint8", 0.25, 0, 10.0, 4.0) == (10.0, 265.0)
