"""The native form of RKNN inputs: rows with a pitch for pictures, blocks of channels for the rest; bytes by hand."""

from __future__ import annotations

import numpy as np

from prepcheck.core import rknn_native
from prepcheck.core.rknn_native import NativeForm, is_row_form, native_form, product, row_bytes

CHIPS = ("rk3566", "rk3588", "rk3562", "rv1126b", "rv1103", "rv1106", "rv1103b", "rv1106b", "rk2118", None)


def test_which_inputs_are_rows() -> None:
    """1, 3 and 4 channels everywhere; 2 on RV1103, RV1106 and RK2118 only (measured)."""
    assert frozenset({1, 3, 4}) == rknn_native.PICTURE_CHANNELS
    assert frozenset({"rv1103", "rv1106", "rk2118"}) == rknn_native.TWO_CHANNELS_NHWC
    for chip in CHIPS:
        rows = [c for c in range(7) if is_row_form(chip, c)]
        assert rows == ([1, 2, 3, 4] if chip in ("rv1103", "rv1106", "rk2118") else [1, 3, 4]), chip


def test_pictures_are_rows_of_their_pitch() -> None:
    """RV1106, 36 pixels a row: 48 at 16-byte steps; 20 rows of 48 x 3 bytes. RK3566 rounds up to 40."""
    found = native_form("NHWC", [1, 20, 36, 3], "int8", "rv1106")
    assert found == NativeForm("NHWC", (1, 20, 36, 3), "int8", 48, 2880, False)
    assert native_form("NCHW", [1, 3, 20, 36], "int8", "rk3566") == NativeForm(
        "NHWC", (1, 20, 36, 3), "int8", 40, 2400, False
    )
    assert native_form("NCHW", [2, 1, 5, 9], "float16", "rk3588") == NativeForm(
        "NHWC", (2, 5, 9, 1), "float16", 16, 320, False
    )
    assert native_form("NHWC", [1, 4, 7, 2], "int8", "rv1103") == NativeForm(
        "NHWC", (1, 4, 7, 2), "int8", 16, 128, False
    )


def test_a_stated_pitch_counts_before_the_chips() -> None:
    found = native_form("NHWC", [1, 20, 36, 3], "int8", "rv1106", pitch=64)
    assert found == NativeForm("NHWC", (1, 20, 36, 3), "int8", 64, 3840, True)
    assert native_form("NHWC", [1, 20, 36, 3], "int8", None, pitch=36) == NativeForm(
        "NHWC", (1, 20, 36, 3), "int8", 36, 2160, True
    )
    assert native_form("NHWC", [1, 20, 36, 3], "int8", None, pitch=35) is None  # shorter than the row itself
    assert native_form("NHWC", [1, 20, 36, 3], "int8", "rv1106", pitch=0) == native_form(
        "NHWC", [1, 20, 36, 3], "int8", "rv1106"
    )


def test_everything_else_with_four_axes_lies_in_blocks() -> None:
    """17 channels: 2 blocks of 16 on RK3588, 3 of 8 on RK3566; no padding of rows."""
    assert native_form("NCHW", [1, 17, 5, 7], "int8", "rk3588") == NativeForm(
        "NC1HWC2", (1, 2, 5, 7, 16), "int8", 7, 1120, False
    )
    assert native_form("NHWC", [1, 5, 7, 17], "int8", "rk3566") == NativeForm(
        "NC1HWC2", (1, 3, 5, 7, 8), "int8", 7, 840, False
    )
    assert native_form("NCHW", [3, 16, 5, 7], "float16", "rk3588") == NativeForm(
        "NC1HWC2", (3, 2, 5, 7, 8), "float16", 7, 3360, False
    )
    assert native_form("NCHW", [1, 2, 5, 7], "int8", "rv1106b") == NativeForm(
        "NC1HWC2", (1, 1, 5, 7, 8), "int8", 7, 280, False
    )


def test_other_ranks_and_orders_stay_as_they_are() -> None:
    assert native_form("UNDEFINED", [1, 10], "float16", "rk3588") == NativeForm(
        "UNDEFINED", (1, 10), "float16", 0, 20, False
    )
    assert native_form("HWC", [4, 5, 3], "int8", None) == NativeForm("HWC", (4, 5, 3), "int8", 0, 60, False)
    assert native_form("UNDEFINED", [1, 2, 3, 4], "int8", "rk3588") == NativeForm(
        "UNDEFINED", (1, 2, 3, 4), "int8", 0, 24, False
    )
    assert native_form("NCHW", [1, 3, 4], "int8", None) == NativeForm("NCHW", (1, 3, 4), "int8", 0, 12, False)


def test_what_is_not_known() -> None:
    assert native_form("NHWC", [1, 20, 36, 3], "int8", None) is None
    assert native_form("NHWC", [1, 20, 36, 3], "float32", "rk3588") is None
    assert native_form("NCHW", [1, 17, 5, 7], "int8", None) is None
    assert native_form("NCHW", [1, 17, 5, 7], "int16", "rk2118") is None
    assert native_form("NCHW", [1, 17, -1, 7], "int8", "rk3588") is None
    assert native_form("UNDEFINED", [1, 0], "int8", "rk3588") is None


def test_factors_multiply_to_the_size() -> None:
    for form, factors in (
        (native_form("NHWC", [1, 20, 36, 3], "int8", "rv1106"), (1, 20, 48, 3, 1)),
        (native_form("NHWC", [2, 5, 9, 1], "float16", "rk3588"), (2, 5, 16, 1, 2)),
        (native_form("NCHW", [1, 17, 5, 7], "float16", "rk3588"), (1, 3, 5, 7, 8, 2)),
        (native_form("UNDEFINED", [3, 10], "float32", None), (3, 10, 4)),
    ):
        assert form is not None
        assert form.factors == factors
        assert form.size == np.prod(factors)
    assert NativeForm("NHWC", (1, 5, 9, 3), "int8", 0, 135, True).factors == (1, 5, 9, 3, 1)
    assert NativeForm("NHWC", (5, 9, 3), "int8", 16, 135, True).factors == (5, 9, 3, 1)
    assert NativeForm("NCHW", (1, 3, 5, 9), "int8", 16, 135, True).factors == (1, 3, 5, 9, 1)


def test_pitched_rows() -> None:
    assert NativeForm("NHWC", (1, 5, 9, 3), "int8", 16, 240, True).pitched
    assert not NativeForm("NHWC", (1, 5, 16, 3), "int8", 16, 240, True).pitched
    assert not NativeForm("NHWC", (1, 5, 9, 3), "int8", 0, 135, True).pitched
    assert not NativeForm("NHWC", (5, 9, 3), "int8", 16, 135, True).pitched
    assert not NativeForm("NC1HWC2", (1, 2, 5, 7, 16), "int8", 7, 1120, True).pitched
    assert not NativeForm("NCHW", (1, 3, 5, 9), "int8", 16, 135, True).pitched


def test_bytes_of_a_row_and_products_in_words() -> None:
    assert row_bytes("int8", 36, 3) == 108
    assert row_bytes("float16", 5, 4) == 40
    assert product((1, 400, 800, 3, 1)) == "1 x 400 x 800 x 3"
    assert product((1, 400, 800, 3, 2)) == "1 x 400 x 800 x 3 x 2"
    assert product((1,)) == "1"
    assert product((7, 1)) == "7"
    assert product((2, 1, 1)) == "2 x 1"
