"""The computed ImageProcess against the installed MNN: a seeded sample of what agree_mnn.py runs in full."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from agree_mnn import disagreements, ulps, why_not

SAMPLE = 400


@pytest.mark.mnn
def test_sample_agrees_with_installed_mnn() -> None:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    results = disagreements(2024, SAMPLE)
    bad = [(distance, case) for distance, case in results if distance > (case.dest.dtype == "float32")]
    assert len(results) == SAMPLE
    assert not bad, f"{len(bad)} of {SAMPLE} disagree, first by {bad[0][0]}: {bad[0][1]}"


def test_distance_counts_units_of_the_last_place() -> None:
    one = np.float32(1)
    assert ulps(np.array([one]), np.array([np.nextafter(one, np.float32(2))])) == 1
    assert ulps(np.array([-one]), np.array([-one])) == 0
    assert ulps(np.array([np.float32(-0.0)]), np.array([np.float32(0)])) == 0
    assert ulps(np.array([3], np.uint8), np.array([250], np.uint8)) == 247
    with pytest.raises(AssertionError):
        ulps(np.zeros(2, np.uint8), np.zeros(3, np.uint8))
