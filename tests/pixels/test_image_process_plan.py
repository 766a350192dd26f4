"""A plan's ImageProcess call as classify() and convert() take it."""

from __future__ import annotations

from typing import Any

import pytest

from prepcheck.contract.calls import ImageProcessArguments
from prepcheck.errors import UsageError
from prepcheck.pixels.image_process import Effect, classify
from prepcheck.pixels.image_process.plan import from_arguments, missing

WHOLE: dict[str, Any] = {
    "source_format": "BGR",
    "dest_format": "RGB",
    "mean": [127.5, 127.5, 127.5],
    "normal": [0.007843137] * 3,
    "filter": "bilinear",
    "wrap": "CLAMP_TO_EDGE",
    "matrix": {"scale": [2.0, 2.0], "translate": [0.5, 0.5]},
    "source_size": [640, 480],
    "stride": 0,
    "dest": {"shape": [1, 3, 240, 320], "layout": "NC4HW4", "dtype": "float32"},
}


def _arguments(**changes: object) -> ImageProcessArguments:
    return ImageProcessArguments.model_validate({k: v for k, v in {**WHOLE, **changes}.items() if v is not None})


def test_whole_call() -> None:
    call = from_arguments(_arguments())
    assert call is not None
    assert call.assumed == ()
    assert (call.size, call.stride, call.dest.dims.w) == ((640, 480), 0, 320)
    assert call.config.mean == (127.5, 127.5, 127.5, 0.0)
    assert call.config.normal[3] == 1.0
    assert call.config.matrix == (2.0, 0.0, 0.5, 0.0, 2.0, 0.5, 0.0, 0.0, 1.0)
    verdict = classify(call.config, call.size, call.dest, call.stride)
    assert (verdict.effect, verdict.matrix_kind) == (Effect.RIGHT, "half_pixel")


def test_nine_numbers_and_one_value_for_all() -> None:
    call = from_arguments(_arguments(matrix=[0.5, 0, 1, 0, 0.25, 2, 0, 0, 1], mean=[114.0]))
    assert call is not None
    assert call.config.matrix == (0.5, 0.0, 1.0, 0.0, 0.25, 2.0, 0.0, 0.0, 1.0)
    assert call.config.mean == (114.0,) * 4


def test_defaults_are_named() -> None:
    bare = _arguments(mean=None, normal=None, filter=None, wrap=None, stride=None, matrix=None)
    call = from_arguments(bare)
    assert call is not None
    assert call.assumed == ("mean", "normal", "filter", "wrap", "padding", "stride")
    assert (call.config.filter, call.config.wrap, call.config.matrix) == ("nearest", "CLAMP_TO_EDGE", None)
    padded = from_arguments(_arguments(wrap="ZERO"))
    assert padded is not None
    assert padded.assumed == ("padding",)


@pytest.mark.parametrize("key", ["source_format", "dest_format", "source_size", "dest"])
def test_missing_keys(key: str) -> None:
    arguments = _arguments(**{key: None})
    assert from_arguments(arguments) is None
    assert any(name.startswith(key) for name in missing(arguments))
    assert missing(_arguments()) == ()


def test_destinations_that_are_no_pictures() -> None:
    assert from_arguments(_arguments(dest={"shape": [1, 3, 4], "layout": "NCHW", "dtype": "float32"})) is None
    assert from_arguments(_arguments(dest={"shape": [3, 4, 4], "layout": "CHW", "dtype": "float32"})) is None
    with pytest.raises(UsageError):
        from_arguments(_arguments(padding=300))
