"""The ledger: what each experiment clears, codes behind scores, equal and unsteady answers, symptoms."""

from __future__ import annotations

import math

import pytest

from prepcheck.app.explain import Question, explain
from prepcheck.contract.report import Report
from prepcheck.errors import UsageError
from prepcheck.evidence.runs import parse_answer, parse_observation
from prepcheck.evidence.scores import entropy_bits, two_classes
from prepcheck.evidence.symptoms import index, matching

BOARD = """index=0, name=input, n_dims=4, dims=[1, 400, 800, 3], n_elems=960000, size=960000, fmt=NHWC, type=INT8, qnt_type=AFFINE, zp=-128, scale=1.000000
index=0, name=output, n_dims=2, dims=[1, 2, 0, 0], n_elems=2, size=2, fmt=UNDEFINED, type=INT8, qnt_type=AFFINE, zp=-6, scale=0.029430
"""


def observed(*texts: str) -> Report:
    return explain(Question(observations=texts))


def cleared(report: Report) -> str:
    return " | ".join(f"{r.what}: {r.because}" for r in report.ruled_out)


def steps(report: Report) -> str:
    return " | ".join(t.do for t in report.next_tests)


def test_codes_behind_scores_are_those_that_enumeration_gives() -> None:
    found = two_classes(0.9994, 0.0006, "int8", 0.02943)
    assert found is not None
    pairs = [
        (a, b)
        for a in range(-128, 128)
        for b in range(-128, 128)
        if round(1 / (1 + math.exp(-(a - b) * 0.02943)), 4) == 0.9994
    ]
    assert found.pairs == len(pairs) == 21
    assert found.high_from == min(a for a, _ in pairs) == 122
    assert found.low_to == max(b for _, b in pairs) == -123
    assert found.pinned
    middle = two_classes(0.6, 0.4, "int8", 0.02943, digits=1)
    assert middle is not None
    assert not middle.pinned
    assert two_classes(0.9994, 0.0006, "float32", 0.02943) is None


def test_entropy() -> None:
    assert entropy_bits([[1, 0], [0, 1]]) == pytest.approx(1.0)
    assert entropy_bits([[1, 0], [1, 0]]) == 0.0
    assert entropy_bits([]) == 0.0


@pytest.mark.parametrize(
    ("observations", "scope", "clears", "next_test"),
    [
        (("where=simulator result=right", "where=board result=wrong"), "cannot_tell", "quantisation", "from the PC"),
        (("where=board_from_pc result=right", "where=program result=wrong"), "input", "model, NPU", "--buffer"),
        (("where=board_from_pc result=wrong", "where=simulator result=right"), "device", "input code", "accuracy_analysis"),
        (("where=program build=float result=right", "where=program build=quantized result=wrong"), "conversion",
         "normalisation", "prepcheck diff"),
        (("where=program model=a.rknn result=right", "where=program model=b.rknn result=wrong"), None, "memory", "diff"),
        (("backend=cpu result=right", "backend=opencl result=wrong"), "device", "model file", "copyFromHostTensor"),
        (("where=simulator result=wrong",), "conversion", "the board", "ONNX"),
    ],
)  # fmt: skip
def test_each_experiment(observations: tuple[str, ...], scope: str | None, clears: str, next_test: str) -> None:
    report = observed(*observations)
    assert report.scope == scope
    assert clears in cleared(report)
    assert next_test in steps(report)


def test_one_side_alone_clears_nothing() -> None:
    assert observed("where=board result=wrong").ruled_out == []
    assert observed("where=simulator result=right").ruled_out == []


def test_black_and_white() -> None:
    different = observed("where=board image=black.png answer=[0.9,0.1]", "where=board image=white.png answer=[0.2,0.8]")
    assert "never written" in cleared(different)
    equal = observed("where=board image=black.png answer=[0.9,0.1]", "where=board image=white.png answer=[0.9,0.1]")
    assert "0xFF" in steps(equal)


def test_the_same_answer_from_two_builds_asks_whether_the_file_is_loaded() -> None:
    report = observed(
        "where=board build=quantized image=a.png answer=[0.9,0.1] result=wrong",
        "where=board build=float image=a.png answer=[0.9,0.1] result=wrong",
    )
    assert "prepcheck diff OLD NEW" in steps(report)


def test_unsteady_answers_ask_for_a_a_b_b() -> None:
    report = observed(
        "where=board image=a.png run=1 answer=[0.9,0.1]", "where=board image=a.png run=2 answer=[0.4,0.6]"
    )
    assert "A A B B" in steps(report)


def test_equal_answers_out_of_a_log() -> None:
    text = BOARD
    for image in ("0.jpg", "black.jpg"):
        text += f"# ./demo ./model.rknn ./{image}\nrknn_run\nPredictions:\nClass: 1, Score: 0.9994\nClass: 0, Score: 0.0006\n"
    report = explain(Question(texts=(("board.log", text),)))
    assert report.scope == "cannot_tell"
    assert "122" in cleared(report)
    assert "-123" in cleared(report)
    assert "black image" in report.next_tests[0].do


def test_different_answers_out_of_a_log_are_no_complaint() -> None:
    text = BOARD
    for image, high in (("0.jpg", 0.9994), ("1.jpg", 0.61)):
        text += f"# ./demo ./model.rknn ./{image}\nrknn_run\nPredictions:\nClass: 1, Score: {high}\nClass: 0, Score: {1 - high:.4f}\n"
    report = explain(Question(texts=(("board.log", text),)))
    assert report.scope is None
    assert "black image" not in steps(report)


def test_symptoms_are_many_and_each_has_causes_and_a_test() -> None:
    assert len(index()) >= 12
    for symptom in index():
        assert symptom.causes
        assert symptom.tests
        assert matching(symptom.en)[0].id == symptom.id
        assert matching(symptom.zh)[0].id == symptom.id


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("my model always predicts class 1", "same-answer"),
        ("output is the same for all pictures", "same-answer"),
        ("the first inference differs from the second one", "first-run-differs"),
        ("第一次推理和第二次结果不一样", "first-run-differs"),
        ("simulator is fine but on the board it is wrong", "simulator-right-board-wrong"),
        ("模拟器上结果正确，连板推理结果不对", "simulator-right-board-wrong"),
        ("CPU result is correct, OpenCL gives garbage", "cpu-right-gpu-wrong"),
        ("检测框偏移了", "boxes-shifted"),
        ("the faces are blue", "colours-off"),
        ("all outputs are nan", "nan"),
        ("检测不到任何目标", "all-zero"),
        ("segmentation fault in rknn_inputs_set", "crash"),
        ("the image is garbled and green", "picture-sheared"),
    ],
)
def test_words_of_users(text: str, wanted: str) -> None:
    assert wanted in [s.id for s in matching(text)[:3]]


@pytest.mark.parametrize("text", ["librknnrt version: 2.3.2", "done", "ret = 0", "Loading : 100%", ""])
def test_other_words_are_no_symptom(text: str) -> None:
    assert matching(text) == []


def test_what_cannot_be_read_is_refused() -> None:
    for bad in ("nonsense", "where=moon result=wrong", "result=perhaps", "where=board colour=red"):
        with pytest.raises(UsageError):
            parse_observation(bad)
    assert parse_answer("0.9994, 0.0006") == (0.9994, 0.0006)
    assert parse_answer("[1 2 3]") == (1.0, 2.0, 3.0)
    with pytest.raises(UsageError):
        parse_answer("high")
