"""Item by item what pasted answers show: equal ones with their weight, one run late, only the first, pinned codes."""

from __future__ import annotations

from prepcheck.app.explain import Question, explain
from prepcheck.contract.report import Report

BOARD = """index=0, name=input, n_dims=4, dims=[1, 400, 800, 3], n_elems=960000, size=960000, fmt=NHWC, type=INT8, qnt_type=AFFINE, zp=-128, scale=1.000000
index=0, name=output, n_dims=2, dims=[1, 2, 0, 0], n_elems=2, size=2, fmt=UNDEFINED, type=INT8, qnt_type=AFFINE, zp=-6, scale=0.029430
"""


def pasted(text: str) -> Report:
    return explain(Question(texts=(("paste", text),)))


def cleared(report: Report) -> str:
    return " ".join(f"{c.what}: {c.because}" for c in report.ruled_out)


def steps(report: Report) -> str:
    return " ".join(t.do for t in report.next_tests)


def test_equal_saturated_answers_of_two_classes_are_weak_evidence() -> None:
    report = pasted("cat.jpg: [0.9994, 0.0006]\ndog.jpg: [0.9994, 0.0006]\n")
    assert report.scope == "cannot_tell"
    assert "at most 1 bits" in cleared(report)
    assert "black image" in steps(report)


def test_equal_answers_of_many_classes_are_not_called_weak() -> None:
    report = pasted("cat.jpg -> 0.21 0.33 0.46\ndog.jpg -> 0.21 0.33 0.46\n")
    assert "black image" in steps(report)
    assert "weak" not in cleared(report)


def test_different_answers_of_different_pictures_are_nothing() -> None:
    report = pasted("cat.jpg: [0.9, 0.1]\ndog.jpg: [0.2, 0.8]\n")
    assert report.scope is None
    assert report.next_tests == []


def test_the_reference_is_no_run_of_the_board() -> None:
    report = pasted("ONNX cat.jpg: [0.9, 0.1]\nONNX dog.jpg: [0.9, 0.1]\n")
    assert "black image" not in steps(report)


def test_one_run_late() -> None:
    text = "on the board:\nA.jpg: 0.5, 0.5\nA.jpg: 0.9, 0.1\nB.jpg: 0.9, 0.1\nB.jpg: 0.2, 0.8\n"
    report = pasted(text)
    assert "each one belongs to the picture before it" in cleared(report)
    assert "async" in steps(report)


def test_right_answers_of_pictures_that_take_turns_are_not_late() -> None:
    report = pasted("A.jpg: 0.9, 0.1\nA.jpg: 0.9, 0.1\nB.jpg: 0.2, 0.8\nB.jpg: 0.2, 0.8\n")
    assert report.next_tests == []
    assert "picture before it" not in cleared(report)


def test_turns_by_turns_decide_nothing_about_lag() -> None:
    report = pasted("A.jpg: 0.9, 0.1\nB.jpg: 0.2, 0.8\nA.jpg: 0.5, 0.5\nB.jpg: 0.3, 0.7\n")
    assert "picture before it" not in cleared(report)
    assert "A A B B" in steps(report)


def test_only_the_first_differs() -> None:
    report = pasted("run 1 of\nA.jpg: 0.5, 0.5\nA.jpg: 0.9, 0.1\nA.jpg: 0.9, 0.1\nB.jpg: 0.2, 0.8\n")
    assert "throw its answer away" in steps(report)
    assert "A A B B" not in steps(report)


def test_pinned_codes_from_a_written_answer() -> None:
    report = pasted(BOARD + "on the board a.jpg -> [0.9994, 0.0006]\n")
    assert "pinned at the ends of int8" in cleared(report)
    assert "pinned" not in cleared(pasted(BOARD + "on the board a.jpg -> [0.6900, 0.3100]\n"))
