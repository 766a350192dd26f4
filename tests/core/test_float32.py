"""Numbers stored as 32-bit floats come back as they were typed; numpy says what float32 holds."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.core.float32 import seven_digits, shortest


def test_typed_numbers_come_back() -> None:
    for typed in (
        123.675,
        58.395,
        0.017124753,
        0.003921569,
        0.1,
        1 / 255,
        255.0,
        -103.53,
        1e-38,
        3.4e38,
        16777216.0,
        0.0,
    ):
        stored = float(np.float32(typed))
        assert shortest(stored) == float(np.format_float_positional(np.float32(typed), unique=True)), typed
    assert shortest(float(np.float32(123.675))) == 123.675


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_the_shortest_is_the_same_float32_and_never_longer_than_numpys(value: float) -> None:
    short = shortest(value)
    with np.errstate(over="ignore"):
        assert np.float32(short) == np.float32(value)
    digits = len(
        np.format_float_scientific(np.float32(value), unique=True).partition("e")[0].replace("-", "").replace(".", "")
    )
    assert short == float(f"{value:.{max(digits, 6)}g}")


def test_nine_digits_where_eight_do_not_suffice() -> None:
    """Between 1000 and 1024 two neighbours are 0.000061 apart, two numbers of eight digits 0.0001."""
    value = float(np.nextafter(np.float32(1000), np.float32(1001)))
    assert np.float32(1000.0001) != np.float32(value)
    assert shortest(value) == 1000.00006


def test_six_digits_always_come_back() -> None:
    """Above 2^33 two neighbours are 1024 apart: at seven digits some numbers typed with six would read otherwise."""
    for typed in range(8_590_000_000, 8_600_000_000, 10_000):
        assert shortest(float(np.float32(typed))) == typed


def test_what_is_no_float32_comes_back_unchanged() -> None:
    assert shortest(1e39) == 1e39
    assert shortest(-1.2345678901e300) == -1.2345678901e300
    assert math.isnan(shortest(math.nan))
    assert (shortest(math.inf), shortest(-math.inf)) == (math.inf, -math.inf)


def test_the_largest_float32_is_not_rounded_beyond_itself() -> None:
    largest = float(np.finfo(np.float32).max)
    assert shortest(largest) == 3.4028235e38
    assert np.float32(shortest(largest)) == np.float32(largest)
    assert shortest(3.40282351e38) == 3.4028235e38  # seven digits are beyond float32, eight are not


def test_the_smallest_numbers_keep_six_digits() -> None:
    assert shortest(2.0**-149) == 1.4013e-45  # 1e-45 would be the same float32


def test_seven_digits() -> None:
    assert seven_digits(255 * 0.003921569) == 1.0
    assert seven_digits(123.67500305175781) == 123.675
    assert seven_digits(1.23456789) == 1.234568
    assert seven_digits(-12345678.9) == -12345680.0
