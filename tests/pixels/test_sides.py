"""A resize by one side and a crop from the middle: the symbolic chain and the pixels agree; what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prepcheck.contract.loading import plan_from_text
from prepcheck.contract.steps import Step
from prepcheck.core.geometry import center_box, side_size
from prepcheck.errors import PlanError, UsageError
from prepcheck.pixels import chain
from prepcheck.pixels.run import run_steps


@pytest.mark.parametrize(
    ("source", "shorter", "longest", "want"),
    [
        ((640, 480), 256, None, (341, 256)),  # int(256 · 640 / 480)
        ((480, 640), 256, None, (256, 341)),
        ((1333, 800), 800, 1333, (1333, 800)),
        ((2000, 800), 800, 1333, (1333, 533)),
        ((640, 480), None, 1024, (1024, 768)),
        ((100, 100), 224, None, (224, 224)),
        ((10000, 1), 8, 100, (100, 1)),
    ],
)
def test_sizes(source: tuple[int, int], shorter: int | None, longest: int | None, want: tuple[int, int]) -> None:
    assert side_size(source, shorter=shorter, longest=longest) == want


def test_the_middle() -> None:
    box = center_box((341, 256), (224, 224))
    assert (box.x, box.y, box.w, box.h) == (58, 16, 224, 224)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(20, 90), st.integers(20, 90), st.integers(20, 60), st.integers(1, 20))
def test_the_chain_and_the_pixels_agree(width: int, height: int, shorter: int, side: int) -> None:
    steps = [
        Step.model_validate({"resize": {"shorter": shorter, "library": "pillow"}}),
        Step.model_validate({"crop": {"center": [side, side]}}),
    ]
    found = run_steps(np.zeros((height, width, 3), np.uint8), "RGB", steps)
    assert found.picture.shape[:2] == (side, side)
    assert found.states[-1].size == (side, side)
    decoded = Step.model_validate({"decode": {"color": "RGB", "size": [width, height]}})
    states = chain.run([decoded, *steps])
    assert states[2].size == side_size((width, height), shorter=shorter, longest=None)
    assert states[2].fitting == "whole"  # whole pixels are no distortion
    assert states[3].fitting in ("crop", "whole")


def test_without_a_known_size_nothing_is_claimed() -> None:
    steps = [Step.model_validate({"resize": {"shorter": 256}}), Step.model_validate({"crop": {"center": [224, 224]}})]
    before, after = chain.run(steps)[1:]
    assert (before.size, before.fitting) == (None, None)
    assert after.size == (224, 224)


def test_a_crop_beyond_the_picture() -> None:
    with pytest.raises(UsageError, match="leaves the picture"):
        run_steps(np.zeros((10, 10, 3), np.uint8), "RGB", [Step.model_validate({"crop": {"center": [20, 5]}})])


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("{resize: {size: [4, 4], shorter: 4}}", "or `shorter`"),
        ("{resize: {filter: bilinear}}", "or `shorter`"),
        ("{resize: {shorter: 0}}", "greater than or equal to 1"),
        ("{crop: {center: [4, 4], box: [0, 0, 4, 4]}}", "either `box` or `center`"),
        ("{crop: {}}", "either `box` or `center`"),
    ],
)
def test_refusals(step: str, says: str) -> None:
    with pytest.raises(PlanError) as caught:
        plan_from_text(f"prepcheck: plan/v1\nsteps: [{step}]\n", "p.yaml")
    assert says in caught.value.message
