"""Running a path on pixels agrees with the symbolic chain and with doing it by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.contract.steps import Step
from prepcheck.errors import UsageError
from prepcheck.pixels.run import run_steps


def picture(height: int = 24, width: int = 36) -> np.ndarray:
    rng = np.random.default_rng(5)
    return rng.integers(0, 256, (height, width, 3), dtype=np.uint8)


def steps(*items: dict[str, object]) -> list[Step]:
    return [Step.model_validate(item) for item in items]


def test_colour_and_transpose() -> None:
    image = picture()
    done = run_steps(image, "BGR", steps({"convert_color": {"to": "RGB"}}, {"transpose": {"to": "CHW"}}))
    assert np.array_equal(done.result, np.moveaxis(image[..., ::-1], -1, 0))
    assert done.color == "RGB"


def test_scale_then_normalize_is_the_affine_map_of_the_chain() -> None:
    image = picture()
    done = run_steps(
        image, "RGB",
        steps({"scale": {"by": 1 / 255}}, {"normalize": {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}}),
    )  # fmt: skip
    values = done.states[-1].values
    assert values is not None
    expected = image * np.asarray(values.a) + np.asarray(values.b)
    assert np.allclose(done.result, expected, atol=1e-5)
    assert np.array_equal(done.picture, image)


def test_quantize_clamps() -> None:
    done = run_steps(picture(), "RGB", steps({"quantize": {"dtype": "int8", "scale": 1.0, "zero_point": -128}}))
    assert done.result.dtype == np.int8
    assert np.array_equal(done.result.astype(int) + 128, picture().astype(int))


@given(st.integers(4, 60), st.integers(4, 60), st.sampled_from(["center", "top_left"]))
def test_letterbox_lies_where_the_chain_says(width: int, height: int, align: str) -> None:
    image = np.full((height, width, 3), 200, np.uint8)
    done = run_steps(image, "RGB", steps({"letterbox": {"size": [32, 48], "fill": 7, "align": align}}))
    box = done.states[-1].box
    assert box is not None
    inside = np.zeros((48, 32), bool)
    inside[box.y : box.y + box.h, box.x : box.x + box.w] = True
    assert np.all(done.result[inside] == 200)
    assert np.all(done.result[~inside] == 7)


@given(st.lists(st.sampled_from(["crop", "pad", "resize", "letterbox", "flip"]), max_size=5))
def test_sizes_are_those_of_the_chain(kinds: list[str]) -> None:
    items: list[dict[str, object]] = []
    for kind in kinds:
        if kind == "crop":
            items.append({"crop": {"box": [0, 0, 4, 4]}})
        elif kind == "pad":
            items.append({"pad": {"left": 1, "top": 2, "right": 3, "bottom": 4}})
        elif kind == "resize":
            items.append({"resize": {"size": [20, 30], "filter": "bilinear", "library": "pillow"}})
        elif kind == "letterbox":
            items.append({"letterbox": {"size": [16, 8]}})
        else:
            items.append({"convert_color": {"to": "RGB"}})
    done = run_steps(picture(), "BGR", steps(*items))
    assert done.states[-1].size == (done.result.shape[1], done.result.shape[0])


@pytest.mark.parametrize(
    "bad",
    [
        {"crop": {"box": [30, 0, 10, 10]}},
        {"normalize": {"mean": [0, 0], "std": [1, 1]}},
        {"normalize": {"mean": [0], "std": [0]}},
        {"cast": {"dtype": "int4"}},
        {"pad": {"left": -1}},
    ],
)
def test_what_cannot_be_done_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        run_steps(picture(), "RGB", steps(bad))
