"""The effect of a wrong map over the pixel values 0..255, by hand."""

from __future__ import annotations

from math import inf, log10

import pytest

from prepcheck.core.effect import RampEffect, ramp_effect

RAMP = [float(p) for p in range(256)]


def test_nothing_wrong() -> None:
    found = ramp_effect([RAMP], [RAMP], (0.0, 255.0), 1.0)
    assert found.psnr == inf
    assert (found.saturated, found.saturated_expected, found.distinct, found.distinct_expected) == (0.0, 0.0, 256, 256)


def test_divided_by_255_falls_on_two_codes() -> None:
    found = ramp_effect([[p / 255 for p in RAMP]], [RAMP], (0.0, 255.0), 1.0)
    assert found.distinct == 2
    assert found.distinct_expected == 256
    error = sum((p - p / 255) ** 2 for p in RAMP) / 256
    assert found.psnr == pytest.approx(10 * log10(255**2 / error), abs=0.01)


def test_pixels_for_normalised_values_saturate() -> None:
    right = [(p - 123.675) / 58.395 for p in RAMP]
    found = ramp_effect([RAMP], [right], (-2.127, 2.631), 0.018658)
    assert found.saturated == pytest.approx(253 / 256, abs=1e-4)  # 0, 1 and 2 can be held
    assert found.saturated_expected == 0.0
    assert found.distinct == 4  # 0, 1, 2 and the end


def test_without_a_right_map_only_what_is_left_is_told() -> None:
    found = ramp_effect([[p / 1000 for p in RAMP]], None, (0.0, 255.0), 1.0)
    assert (found.psnr, found.distinct, found.distinct_expected) == (None, 1, None)


def test_real_inputs_have_no_codes() -> None:
    found = ramp_effect([RAMP], [RAMP])
    assert found.saturated is None
    assert found.distinct == 256


def test_a_flat_right_map_gives_no_psnr() -> None:
    assert ramp_effect([RAMP], [[1.0] * 256]).psnr is None


def test_noise_ratio_is_over_the_steps_of_a_pixel() -> None:
    """One pixel too high everywhere, in values of 0.5 a pixel: an error of 1, 10·log10(255²/1) = 48.13 dB."""
    right = [0.5 * p - 3 for p in range(256)]
    assert ramp_effect([[v + 0.5 for v in right]], [right]).psnr == 48.13
    assert ramp_effect([[v + 0.25 for v in right]], [right]).psnr == 54.15
    assert ramp_effect([[v - 1.0 for v in right]], [right]).psnr == 42.11
    falling = [-v for v in right]
    assert ramp_effect([[v + 0.5 for v in falling]], [falling]).psnr == 48.13


def test_what_the_codes_hold_bounds_both_maps() -> None:
    """Beyond 100 both are held at 100: of 256 pixels only 0 … 99 differ, by 1 each; and 99 + 1 is still held."""
    right = RAMP
    seen = [p + 1 for p in RAMP]
    assert ramp_effect([seen], [right], (0.0, 100.0), 1.0).psnr == pytest.approx(
        10 * log10(255**2 / (100 / 256)), abs=0.005
    )
    assert ramp_effect([seen], [right], (50.0, 255.0), 1.0).psnr == pytest.approx(
        10 * log10(255**2 / (205 / 256)), abs=0.005
    )


def test_channels_are_averaged_and_flat_ones_left_out() -> None:
    wrong = [p + 2 for p in RAMP]
    flat, nothing = [3.0] * 256, [float("nan")] * 256
    assert ramp_effect([RAMP, wrong], [RAMP, RAMP]).psnr == pytest.approx(10 * log10(255**2 / 2), abs=0.005)
    assert ramp_effect([flat, wrong], [[1.0] * 256, RAMP]).psnr == pytest.approx(10 * log10(255**2 / 4), abs=0.005)
    assert ramp_effect([wrong, RAMP], [RAMP, nothing]).psnr == pytest.approx(10 * log10(255**2 / 4), abs=0.005)
    assert ramp_effect([wrong, wrong], [[inf] * 256, [1e308, *RAMP[1:-1], -1e308]]).psnr is None


def test_an_error_without_bounds_is_cut_at_a_million_pixels() -> None:
    huge = [1e30] * 256
    assert ramp_effect([huge], [RAMP]).psnr == pytest.approx(10 * log10(255**2 / 1e12), abs=0.005)


def test_next_to_nothing_is_nothing() -> None:
    assert ramp_effect([[p + 2e-5 for p in RAMP]], [RAMP]).psnr == inf  # 4e-10
    assert ramp_effect([[p + 1e-4 for p in RAMP]], [RAMP]).psnr == pytest.approx(128.13)  # 1e-8


def test_share_beyond_the_codes() -> None:
    """Half a step and a millionth of the largest end are no fault: what lies there becomes the end's code."""
    table = [0.0, -0.4, -0.6, 10.4, 10.6, 5.0, 20.0, 7.0]
    found = ramp_effect([table], [table], (0.0, 10.0), 1.0)
    assert (found.saturated, found.saturated_expected) == (0.375, 0.375)
    assert ramp_effect([table, [5.0] * 8], None, (0.0, 10.0), 1.0).saturated == 0.1875
    without = ramp_effect([[0.0, 10.0, 10.000005, 10.00002, -0.000005, -0.00002, 1.0, 2.0]], None, (0.0, 10.0))
    assert without.saturated == 0.25
    assert (
        ramp_effect([[-2e-6, 0.0, -8e-7, 0.5]], None, (0.0, 0.5), None).saturated == 0.25
    )  # at least a millionth of 1
    assert ramp_effect([[-1000.0005, -1000.005, 0.0, 0.0]], None, (-1000.0, 0.0), 0.0).saturated == 0.25
    assert ramp_effect([[20.0, 0.0, 0.0]], None, (0.0, 10.0), 1.0).saturated == 0.33333


def test_different_values_of_the_poorest_channel() -> None:
    """Codes where there are any: a step apart and held within their ends; else values that differ within nine decimals."""
    assert ramp_effect([RAMP, [p // 2 for p in range(256)]], None).distinct == 128
    assert ramp_effect([RAMP, RAMP], [RAMP, [1.0, 2.0, 3.0] * 85 + [1.0]]).distinct_expected == 3
    assert ramp_effect([RAMP], None, (10.0, 20.0), 1.0).distinct == 11
    assert ramp_effect([RAMP], [RAMP], (10.0, 20.0), 1.0).distinct_expected == 11
    assert ramp_effect([RAMP], [RAMP], (0.0, 255.0), 2.0).distinct_expected == 129
    assert ramp_effect([RAMP], None, (0.0, 255.0), 2.0).distinct == 129  # 0, 2 … 254 by twos, 255 → 128
    assert ramp_effect([[0.0, 1e-10, 2e-9, 1.0]], None).distinct == 3
    assert ramp_effect([[0.0, 1e-10, 2e-9, 1.0]], None, (0.0, 1.0)).distinct == 3
    assert ramp_effect([[0.0, 1e-10, 2e-9, 1.0]], None, (0.0, 1.0), 0.0).distinct == 3
    assert ramp_effect([[0.0, 0.4, 0.6, 1.4, 1.6]], None, (0.0, 2.0), 1.0).distinct == 3


def test_tables_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        ramp_effect([RAMP], [RAMP[:-1]])


def test_a_right_map_of_other_channels_is_not_compared() -> None:
    assert ramp_effect([RAMP], [RAMP, RAMP], (0.0, 255.0), 1.0) == RampEffect(None, 0.0, None, 256, None)
    assert ramp_effect([RAMP], None, (0.0, 255.0), 1.0) == RampEffect(None, 0.0, None, 256, None)
    assert ramp_effect([RAMP], [RAMP]) == RampEffect(inf, None, None, 256, 256)
