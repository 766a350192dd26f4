"""Configurations that MNN gets wrong: classify() says what the installed MNN then does to the destination."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from prepcheck.pixels.image_process import (
    Destination,
    Effect,
    ImageProcessConfig,
    Unsupported,
    classify,
    convert,
    scale_translate,
)

sys.path.insert(0, str(Path(__file__).parent))
from agree_mnn import why_not
from mnn_cases import Case

SIZE = (20, 12)
HALF = scale_translate(2.0, 2.0, 0.5, 0.5)


def _case(source: str, to: str, dtype: str, layout: str, channels: int, n: int = 1, matrix: bool = False) -> Case:
    width, height = (10, 6)
    shape = (n, height, width, channels) if layout == "NHWC" else (n, channels, height, width)
    config = ImageProcessConfig(source, to, matrix=HALF if matrix else None)
    return Case(config, SIZE, Destination(shape, layout, dtype), 0, 3)


CASES = {
    "I8 nhwc": (_case("RGB", "RGB", "uint8", "NHWC", 3), Effect.NOTHING, "mnn:I8"),
    "I8 nc4hw4": (_case("RGBA", "RGBA", "uint8", "NC4HW4", 4), Effect.NOTHING, "mnn:I8"),
    "I8 nchw": (_case("RGBA", "RGBA", "uint8", "NCHW", 4), Effect.GARBAGE, "mnn:I8"),
    "I9 nchw": (_case("BGR", "RGB", "uint8", "NCHW", 3), Effect.WRONG, "mnn:I9"),
    "I9 nc4hw4": (_case("BGR", "RGB", "uint8", "NC4HW4", 4), Effect.WRONG, "mnn:I9"),
    "I10 too few": (_case("BGR", "RGB", "float32", "NHWC", 1), Effect.OVERRUN, "mnn:I10"),
    "I10 rgba to 3": (_case("BGRA", "RGBA", "float32", "NHWC", 3), Effect.OVERRUN, "mnn:I10"),
    "I10 uint8": (_case("RGB", "RGBA", "uint8", "NHWC", 3), Effect.OVERRUN, "mnn:I10"),
    "I10 gray to 3": (_case("BGR", "GRAY", "float32", "NHWC", 3), Effect.WRONG, "mnn:I10"),
    "I11 nhwc": (_case("BGR", "RGB", "float32", "NHWC", 3, n=2), Effect.WRONG, "mnn:I11"),
    "I11 nchw": (_case("BGR", "RGB", "float32", "NCHW", 3, n=2), Effect.GARBAGE, "mnn:I11"),
    "I12 int32": (_case("BGR", "RGB", "int32", "NHWC", 3), Effect.WRONG, "mnn:I12"),
    "I12 channels": (_case("BGR", "RGB", "float32", "NCHW", 6), Effect.GARBAGE, "mnn:I12"),
    "I14 nothing": (_case("RGB", "BGRA", "float32", "NHWC", 4), Effect.NOTHING, "mnn:I14"),
    "I14 nothing uint8": (_case("YCrCb", "RGB", "uint8", "NHWC", 3), Effect.NOTHING, "mnn:I14"),
    "I14 nothing, matrix": (_case("HSV", "RGB", "uint8", "NHWC", 3, matrix=True), Effect.NOTHING, "mnn:I14"),
    "I14 garbage": (_case("RGB", "BGRA", "float32", "NCHW", 4), Effect.GARBAGE, "mnn:I14"),
    "I14 raw": (_case("RGB", "BGRA", "float32", "NHWC", 4, matrix=True), Effect.WRONG, "mnn:I14"),
    "I14 raw uint8": (_case("BGR", "RGBA", "uint8", "NHWC", 4, matrix=True), Effect.WRONG, "mnn:I14"),
    "I14 bytes on floats": (_case("RGB", "YUV", "float32", "NHWC", 3), Effect.WRONG, "mnn:I14"),
    "I14 raw 4:2:0": (_case("YUV_NV12", "YUV_NV12", "uint8", "NHWC", 1), Effect.OVERRUN, "mnn:I14"),
    "I14 raw overrun": (_case("RGBA", "YUV", "uint8", "NHWC", 3, matrix=True), Effect.OVERRUN, "mnn:I14"),
}


@pytest.mark.parametrize("name", CASES)
def test_classify_names_rule_and_effect(name: str) -> None:
    case, effect, rule = CASES[name]
    verdict = classify(case.config, case.size, case.dest, case.stride)
    assert (verdict.effect, verdict.issues[0].rule_id) == (effect, rule)
    with pytest.raises(Unsupported) as caught:
        convert(case.config, case.source(), case.size, case.dest, case.stride)
    assert caught.value.rule_id == rule
    assert caught.value.reason in str(caught.value)


@pytest.fixture(scope="module")
def observed() -> dict[str, dict[str, float | bool]]:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    data = pickle.dumps([case for case, _, _ in CASES.values()])
    command = [sys.executable, str(Path(__file__).with_name("mnn_effects.py"))]
    run = subprocess.run(command, input=data, capture_output=True, check=True, timeout=120)
    lines = [line for line in run.stdout.decode().splitlines() if line.startswith("effect ")]
    return {name: json.loads(line.removeprefix("effect ")) for name, line in zip(CASES, lines, strict=True)}


@pytest.mark.mnn
@pytest.mark.parametrize("name", CASES)
def test_mnn_does_what_classify_says(name: str, observed: dict[str, dict[str, float | bool]]) -> None:
    effect, seen = CASES[name][1], observed[name]
    if effect is Effect.OVERRUN:
        assert seen["beyond"] or seen["died"]
        return
    assert not seen["beyond"]
    if effect is Effect.NOTHING:
        assert seen["changed"] == 0
    else:
        assert seen["changed"] > 0.05
