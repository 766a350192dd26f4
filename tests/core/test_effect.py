"""The effect of a wrong map over the pixel values 0..255, by hand."""

from __future__ import annotations

from math import inf, log10

import pytest

from prepcheck.core.effect import ramp_effect

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
