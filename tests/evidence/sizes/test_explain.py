"""explain_size: the seed, public reports, words, equations that hold, facts set aside, refusals."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.contract.base import Category
from prepcheck.contract.contract import Contract, Native, Tensor
from prepcheck.errors import UsageError
from prepcheck.evidence.sizes import Reading, SizeExplanation, explain_size
from prepcheck.evidence.sizes.texts import TEXTS

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))


def label(reading: Reading) -> tuple[Any, ...]:
    return (reading.kind, *reading.key)


def value(side: str) -> Fraction:
    """One side of a chain: products and quotients of whole numbers, sums of those, brackets."""
    assert re.fullmatch(r"[0-9 ×·/+()]+", side), side
    text = re.sub(r"\d+", lambda m: f"Fraction({m[0]})", side.replace("×", "*").replace("·", "*"))
    return Fraction(eval(text, {"Fraction": Fraction}))  # digits and operators only, checked above


def check_equation(reading: Reading, got: int, want: int) -> None:
    """Every chain holds, and (but for an encoded file) both numbers stand in it."""
    seen: set[Fraction] = set()
    for chain in filter(None, reading.equation.split("; ")):
        sides = [value(side) for side in chain.split(" = ")]
        assert len(sides) > 1, chain
        assert len(set(sides)) == 1, chain
        seen.add(sides[0])
    numbers = {int(n) for n in re.findall(r"\d+", reading.equation)}
    if reading.fits and got != want:
        assert {got, want} <= numbers, reading.equation


def check(answer: SizeExplanation) -> None:
    """What holds for every answer."""
    total = answer.none_probability + sum(r.probability for r in answer.readings)
    assert total == pytest.approx(1.0, abs=1e-9)
    probabilities = [r.probability for r in answer.readings]
    assert probabilities == sorted(probabilities, reverse=True)
    labels = [label(r) for r in answer.readings]
    assert len(set(labels)) == len(labels)
    for reading in answer.readings:
        check_equation(reading, answer.got, answer.want)
        assert "{" not in reading.text() + reading.fix_text()
        assert [part.kind for part in reading.parts] == reading.kind.split("+")
    for remark in answer.remarks:
        assert "{" not in remark.text()


def test_the_seed() -> None:
    answer = explain_size(got=32400, want=3240000, shape=(1, 3, 120, 90))
    check(answer)
    best = answer.best
    assert best is not None
    assert best.equation == "3240000 = 100 × 32400 = 100 × (1·3·120·90)"
    assert best.kind == "batch" and best.category == "batch"
    assert best.probability > 0.99
    assert "batch of 100" in best.text() and "batch_size" in best.text() and "rknn-toolkit 1" in best.text()
    assert "batch 1" in best.fix_text() and "100 images" in best.fix_text()
    assert best.parameters["batch"] == 100


@pytest.mark.parametrize(
    ("runtime", "word", "absent"),
    [("rknn1", "hybrid", "resizeTensor"), ("rknn", "batch 1", "hybrid"), ("mnn", "resizeTensor", "hybrid")],
)
def test_the_calibration_batch_is_of_toolkit_1(runtime: str, word: str, absent: str) -> None:
    best = explain_size(32400, 3240000, shape=(1, 3, 120, 90), runtime=runtime).best
    assert best is not None and best.kind == "batch"
    said = best.text() + best.fix_text()
    assert word in said and absent not in said


@pytest.mark.parametrize("pair", CASES["pairs"], ids=lambda p: f"{p['source']} {p['got']}")
def test_public_reports_are_among_the_first_three(pair: dict[str, Any]) -> None:
    answer = explain_size(pair["got"], pair["want"], **pair["facts"])
    check(answer)
    assert (pair["kind"], *pair["key"]) in [label(r) for r in answer.readings[:3]]


@pytest.mark.parametrize("derived", [False, True])
def test_public_reports_are_first_in_nine_of_ten(derived: bool) -> None:
    pairs = [pair for pair in CASES["pairs"] if pair["derived"] is derived]
    first = 0
    for pair in pairs:
        best = explain_size(pair["got"], pair["want"], **pair["facts"]).best
        first += best is not None and label(best) == (pair["kind"], *pair["key"])
    assert first >= 0.9 * len(pairs)


@pytest.mark.parametrize("pair", CASES["more"], ids=lambda p: f"{p['source']} {p['got']}")
def test_more_pairs(pair: dict[str, Any]) -> None:
    answer = explain_size(pair["got"], pair["want"], **pair["facts"])
    check(answer)
    labels = [label(r) for r in answer.readings]
    wanted = (pair["kind"], *pair["key"])
    assert wanted in (labels if pair.get("listed") else labels[:1])


@pytest.mark.parametrize("pair", CASES["equal"], ids=lambda p: p["source"])
def test_equal_counts_hide_axes(pair: dict[str, Any]) -> None:
    answer = explain_size(pair["got"], pair["want"], **pair["facts"])
    check(answer)
    assert answer.equal and answer.readings[0].kind == pair["kind"]


def test_equal_counts_name_both_shapes() -> None:
    answer = explain_size(32400, 32400, shape=(1, 3, 120, 90))
    texts = {r.kind: r.text() for r in answer.readings}
    assert "1x3x120x90" in texts["axis_order"] and "1x120x90x3" in texts["axis_order"]
    assert "120x90" in texts["transposed"] and "90x120" in texts["transposed"]


def test_equal_counts_of_a_vector_hide_nothing() -> None:
    assert explain_size(154, 154, shape=(1, 154)).readings == ()


def test_nothing_fits_is_said() -> None:
    answer = explain_size(61233, 150528, shape=(1, 224, 224, 3))
    check(answer)
    assert not answer.fits
    assert [r.kind for r in answer.readings] == ["encoded"]
    assert "No reading makes 61233 and 150528 equal" in answer.remarks[-1].text()
    assert explain_size(2**61 - 1, 150528, shape=(1, 224, 224, 3)).best is None


def test_a_shape_of_another_tensor_is_set_aside() -> None:
    answer = explain_size(1228800, 4915200, shape=(1, 7, 11, 13))
    check(answer)
    assert answer.best is not None and label(answer.best) == ("dtype", 1, 4)
    assert "1x7x11x13" in answer.remarks[0].text()


def test_a_shape_that_agrees_with_one_count_is_kept() -> None:
    answer = explain_size(500001, 1228800, shape=(1, 640, 640, 3))
    assert not answer.fits and len(answer.remarks) == 1


def test_a_dynamic_shape_is_set_aside() -> None:
    answer = explain_size(1228800, 4915200, shape=(-1, 640, 640, 3))
    assert "dynamic" in answer.remarks[0].text()
    assert answer.best is not None and answer.best.kind == "dtype"


def test_several_at_once_are_listed() -> None:
    labels = [label(r) for r in explain_size(32400, 3240000, shape=(1, 3, 120, 90)).readings]
    assert ("dtype+batch", 1, 4, 1, 25) in labels
    assert ("dtype+batch", 1, 2, 1, 50) in labels


def test_two_faults_say_both() -> None:
    answer = explain_size(8 * 3 * 120 * 90, 4 * 16 * 3 * 120 * 90, shape=(1, 3, 120, 90), dtype="float32")
    check(answer)
    best = answer.best
    assert best is not None and best.kind == "dtype+batch"
    assert "float64" in best.text() and "batch of 16" in best.text()
    assert len(best.parts) == 2


@pytest.mark.parametrize(
    ("got", "want", "facts", "kind", "key"),
    [
        (1228928, 1228800, {"shape": (1, 640, 640, 3)}, "header", (128,)),
        (921654, 921600, {"shape": (480, 640, 3), "layout": "HWC"}, "header", (54,)),
        (1228800, 307200, {"shape": (1, 320, 320, 3)}, "dtype", (4, 1)),
        (602112, 150528, {"shape": (1, 224, 224, 3), "dtype": "int8"}, "dtype", (4, 1)),
        (2457600, 1228800, {"shape": (1, 3, 320, 320), "dtype": "float32", "runtime": "mnn"}, "dtype", (8, 4)),
        (1638400, 1228800, {"shape": (1, 640, 640, 3), "dtype": "uint8"}, "channels", (4, 3)),
        (3110400, 1228800, {"shape": (1, 640, 640, 3), "dtype": "uint8"}, "frame", (1080, 1920, 3)),
        (6220800, 1228800, {"shape": (1, 640, 640, 3), "dtype": "uint8"}, "frame", (1080, 1920, 6)),
        (3133440, 1228800, {"shape": (1, 640, 640, 3), "dtype": "uint8"}, "frame+height_align", (1080, 1920, 3)),
        (614400, 1228800, {"shape": (1, 640, 640, 3), "dtype": "uint8", "runtime": "rknn"}, "yuv", (3, 6)),
        (24192, 25344, {"shape": (1, 48, 168, 3), "platform": "rv1106"}, "row_stride", ("pack",)),
        (52224, 98304, {"shape": (1, 48, 64, 17), "layout": "NHWC", "platform": "rv1106", "dtype": "int8"}, "nc1hwc2", ("pack", 16)),
        (52224, 73728, {"shape": (1, 48, 64, 17), "layout": "NHWC", "platform": "rk3566", "dtype": "int8"}, "nc1hwc2", ("pack", 8)),
        (52224, 98304, {"shape": (1, 2, 48, 64, 16), "layout": "NC1HWC2", "platform": "rv1106"}, "nc1hwc2", ("pack", 16)),
        (38400, 61440, {"shape": (1, 5, 40, 48), "layout": "NC4HW4", "dtype": "float32", "runtime": "mnn"}, "nc4hw4", ("pack",)),
    ],
)  # fmt: skip
def test_kinds(got: int, want: int, facts: dict[str, Any], kind: str, key: tuple[Any, ...]) -> None:
    answer = explain_size(got, want, **facts)
    check(answer)
    assert answer.best is not None and label(answer.best) == (kind, *key), [label(r) for r in answer.readings[:4]]


def test_platform_decides_the_pitch() -> None:
    """70 pixels: pitch 72 on rk3566 (8 pixels), 80 on rk3588 (16)."""
    tight, wide, wider = 48 * 70 * 3, 48 * 72 * 3, 48 * 80 * 3
    for platform, want in (("rk3566", wide), ("rk3588", wider)):
        for asked in (wide, wider):
            answer = explain_size(tight, asked, shape=(1, 48, 70, 3), dtype="int8", platform=platform, runtime="rknn")
            assert answer.best is not None and label(answer.best) == ("row_stride", "pack")
            assert bool(answer.remarks) is (asked != want)  # "agrees with other platforms only"


def contract(*inputs: Tensor, **more: Any) -> Contract:
    return Contract(runtime="rknn", platforms=["rv1106"], inputs=list(inputs), **more)


def test_a_contract_gives_the_facts() -> None:
    image = Tensor(
        name="images",
        layout="NHWC",
        shape=[1, 48, 70, 3],
        dtype="int8",
        size=10080,
        w_stride=80,
        size_with_stride=11520,
    )
    answer = explain_size(10080, 11520, contract=contract(image))
    check(answer)
    best = answer.best
    assert best is not None and best.kind == "row_stride" and best.parameters["pitch"] == 80
    assert best.probability > 0.99


def test_the_pitch_of_a_contract_is_taken_as_it_stands() -> None:
    image = Tensor(name="images", layout="NHWC", shape=[1, 48, 70, 3], dtype="int8", w_stride=96)
    best = explain_size(10080, 48 * 96 * 3, contract=contract(image)).best
    assert best is not None and best.kind == "row_stride" and best.parameters["pitch"] == 96


def test_bytes_of_another_input_are_recognized() -> None:
    first = Tensor(name="template", layout="NHWC", shape=[1, 127, 127, 3], dtype="int8", size=48387)
    second = Tensor(name="search", layout="NHWC", shape=[1, 255, 255, 3], dtype="int8", size=195075)
    answer = explain_size(195075, 48387, contract=contract(first, second))
    check(answer)
    other = next(r for r in answer.readings if r.kind == "other_input")
    assert "search" in other.text() and other.probability > 0.5


def test_the_native_size_chooses_the_input() -> None:
    small = Tensor(name="a", layout="NCHW", shape=[1, 3], dtype="float32", size=12)
    big = Tensor(
        name="b", layout="NHWC", shape=[1, 48, 64, 17], dtype="int8", size=52224,
        native=Native(layout="NC1HWC2", shape=[1, 2, 48, 64, 16], dtype="int8", size_with_stride=98304),
    )  # fmt: skip
    best = explain_size(52224, 98304, contract=contract(small, big)).best
    assert best is not None and best.kind == "nc1hwc2"


def test_what_is_said_comes_before_the_contract() -> None:
    image = Tensor(name="images", layout="NHWC", shape=[1, 48, 70, 3], dtype="int8")
    best = explain_size(3072000, 4608000, shape=(1, 1500, 768), dtype="float32", contract=contract(image)).best
    assert best is not None and best.kind == "axis_short" and best.parameters["given_length"] == 1000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"got": 0}, ["got is 0"]),
        ({"want": -5}, ["want is -5"]),
        ({"got": 2**63}, ["64-bit"]),
        ({"got": 1.5}, ["whole number"]),
        ({"got": True}, ["whole number"]),
        ({"shape": ()}, ["1 to 16 axes"]),
        ({"shape": (1,) * 17}, ["1 to 16 axes"]),
        ({"shape": (1, 0, 3)}, ["axis 0"]),
        ({"shape": (1, -7, 3)}, ["axis -7"]),
        ({"dtype": "flaot32"}, ["flaot32", "float32"]),
        ({"layout": "NWHC"}, ["NWHC"]),
        ({"runtime": "tensorrt"}, ["tensorrt", "known"]),
    ],
)
def test_refusals(arguments: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        explain_size(**{"got": 100, "want": 200, **arguments})
    assert all(word in caught.value.message for word in words)


COUNTS = st.one_of(
    st.integers(1, 2**63 - 1),
    st.integers(1, 10**8),
    st.lists(st.sampled_from([2, 3, 4, 5, 7, 8, 16, 48, 70, 80, 224, 640, 1080, 1920]), max_size=6).map(prod),
)
SHAPES = st.one_of(st.none(), st.lists(st.integers(1, 2**40), min_size=1, max_size=7).map(tuple))


@given(
    COUNTS, COUNTS, SHAPES, st.sampled_from([None, "int8", "float16", "float32", "int64", "int4"]),
    st.sampled_from([None, "NHWC", "NCHW", "NC4HW4", "NC1HWC2", "HW", "HWC", "CHW", "UNDEFINED"]),
    st.sampled_from([None, "rk3588", "rk3566", "rv1106", "rk2118", "rv1126", "snapdragon"]), st.sampled_from([None, "rknn", "rknn1", "mnn", "rga"]),
)  # fmt: skip
def test_any_question_has_an_answer(
    got: int,
    want: int,
    shape: tuple[int, ...] | None,
    dtype: str | None,
    layout: str | None,
    platform: str | None,
    runtime: str | None,
) -> None:
    got, want = min(got, 2**63 - 1), min(want, 2**63 - 1)
    check(explain_size(got, want, shape=shape, dtype=dtype, layout=layout, platform=platform, runtime=runtime))


def test_the_answer_does_not_depend_on_what_was_asked_before() -> None:
    question = {"got": 1228800, "want": 4915200}
    first = explain_size(**question)
    explain_size(7, 11)
    explain_size(3110400, 3237888, platform="rk3576")
    assert explain_size(**question) == first


def test_categories_are_of_the_interface() -> None:
    assert {text.category for text in TEXTS.values()} <= set(get_args(Category))


def test_no_heavy_imports() -> None:
    code = (
        "import sys; from prepcheck.evidence.sizes import explain_size; explain_size(32400, 3240000, shape=(1, 3, 120, 90));"
        "print(sorted({'numpy', 'pydantic', 'cv2', 'PIL', 'rich', 'ruamel'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3]
    )
    assert done.stdout.strip() == "[]"
