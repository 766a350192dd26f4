"""config() calls: read by their syntax, never run; literals, arithmetic, names; both generations."""

from __future__ import annotations

import pytest

from prepcheck.errors import CorruptError, UsageError
from tests.importers.files import from_text, imported, plan


def test_a_detector_whose_platform_is_an_argument() -> None:
    found = imported("rknn/detector.py")  # its first statement would end this process
    assert found.plan["model"] == {"build": {"mean": [[0, 0, 0]], "std": [[255, 255, 255]]}}
    assert found.plan["runtime"] == "rknn"
    assert "platform" not in found.plan
    assert any(u.startswith("target_platform (") and "sys.argv[2]" in u for u in found.unknown)


def test_names_arithmetic_and_spread_tables() -> None:
    found = imported("rknn/classifier_constants.py")
    build = found.plan["model"]["build"]  # type: ignore[index, call-overload]
    assert build["mean"] == [pytest.approx([123.675, 116.28, 103.53])]  # type: ignore[index, call-overload]
    assert build["std"] == [pytest.approx([58.395, 57.12, 57.375])]  # type: ignore[index, call-overload]
    assert build["rgb2bgr"] is True  # type: ignore[index, call-overload]
    assert found.plan["platform"] == "rk3566"
    assert any("calibration" in d and "BGR" in d for d in found.doubts)


def test_first_generation() -> None:
    found = imported("rknn/first_generation.py")
    assert found.plan["runtime"] == "rknn1"
    assert found.plan["platform"] == "rv1126"
    build = found.plan["model"]["build"]  # type: ignore[index, call-overload]
    assert build["mean"] == [[103.94, 116.78, 123.68]]  # type: ignore[index, call-overload]
    assert build["std"] == [[58.82] * 3]  # type: ignore[index, call-overload]
    assert any("runtime itself exchanges R and B" in d for d in found.doubts)


def test_several_inputs() -> None:
    build = plan("rknn/two_inputs.py")["model"]["build"]
    assert build["mean"] == [[123.675, 116.28, 103.53], [0, 0, 0]]
    assert build["rgb2bgr"] == [True, False]
    assert any("dynamic_input" in o for o in build["options"])


def call(arguments: str) -> str:
    return f"from rknn.api import RKNN\nr = RKNN()\nr.config({arguments})\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("mean_values=[[0, 0, 0]], std_values=[[1, 1]]", "2 values beside 3"),
        ("mean_values=[[0, 0, 0]], std_values=[[1, 1, 1], [1, 1, 1]]", "2 lists beside 1"),
        ("mean_values=[[0, 0, 0]], std_values=[[255, 0, 255]]", "0 cannot divide"),
        ("mean_values=0, std_values=[[1]]", "a list for each input"),
        ("mean_values=[[0, 'x']]", "a number is expected"),
        ("mean_values=[[0, 0, 0]], channel_mean_value='0 0 0 255'", "no version uses both"),
        ("reorder_channel='2 1 0', quant_img_RGB2BGR=True", "no version takes both"),
        ("reorder_channel='1 0 2'", "'2 1 0' for each input"),
        ("channel_mean_value='0 0 0'", "one divisor"),
        ("mean_values=[[0]], target_platform=3", "one text is expected"),
        ("mean_values=[[0]], quant_img_RGB2BGR='no'", "true or false"),
    ],
)
def test_contradictions_say_where(arguments: str, says: str) -> None:
    with pytest.raises(CorruptError, match=r"^c\.py:3:\d+: ") as caught:
        from_text(call(arguments), "c.py")
    assert says in caught.value.message


def test_two_calls_that_differ() -> None:
    text = call("mean_values=[[0, 0, 0]], std_values=[[1, 1, 1]]")
    with pytest.raises(CorruptError, match=r"^c\.py:6:1: a second call .* line 3 \(std_values: \[\[1, 1, 1\]\] there"):
        from_text(text + text.replace("1, 1, 1", "255, 255, 255"), "c.py")
    assert from_text(text + text, "c.py").plan["model"]


@pytest.mark.parametrize("text", ["x = 1\n", "logging.config(fname='a')\n", "rknn.build(mean_values=[[0]])\n"])
def test_without_a_call(text: str) -> None:
    with pytest.raises(UsageError, match="no call of config"):
        from_text(text, "c.py")


@pytest.mark.parametrize("text", ["rknn.config(", "a\n  b\n", "x = " + "(" * 500 + ")" * 500])
def test_no_python(text: str) -> None:
    with pytest.raises(CorruptError, match="not valid Python"):
        from_text(text, "c.py")


def test_a_flat_list_is_one_input_s() -> None:
    found = from_text(call("mean_values=[0, 0, 0], std_values=[255, 255, 255]"), "c.py")
    assert found.plan["model"] == {"build": {"mean": [[0, 0, 0]], "std": [[255, 255, 255]]}}


def test_keywords_by_dict() -> None:
    found = from_text("o = dict(target_platform='rv1106')\n" + call("mean_values=[[0]], std_values=[[1]], **o"), "c.py")
    assert found.plan["platform"] == "rv1106"
    assert any("somewhere else" in u for u in from_text(call("mean_values=[[0]], **other()"), "c.py").unknown)


def test_inverse_deviations_are_doubted() -> None:
    found = from_text(call("mean_values=[[123.7, 116.3, 103.5]], std_values=[[0.017, 0.0175, 0.0174]]"), "c.py")
    assert any("factor (1/std)" in d for d in found.doubts)


def test_a_name_set_twice_is_unknown() -> None:
    found = from_text("S = [[1]]\nS = [[2]]\n" + call("mean_values=[[0]], std_values=S"), "c.py")
    assert any("set more than once" in u for u in found.unknown)
    assert found.plan["model"] == {"build": {"mean": [[0]]}}
