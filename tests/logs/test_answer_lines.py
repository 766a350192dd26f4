"""Answers that people write down: every usual form is read, and nothing that only looks like one."""

from __future__ import annotations

import pytest

from prepcheck.facts.log import LogEvent
from prepcheck.logs import reading
from prepcheck.logs.answer_lines import MAX_ANSWERS, events
from prepcheck.logs.cleaning import clean


def read(text: str) -> list[LogEvent]:
    cleaned = [(n, clean(line, n).text) for n, line in enumerate(text.split("\n"), 1)]
    return list(events([(n, t) for n, t in cleaned if t], 0))


def rows(text: str) -> list[tuple[object, object, object]]:
    return [(e.fields.get("image"), e.fields["scores"], e.fields["place"]) for e in read(text)]


TWO = [0.91, 0.09]


@pytest.mark.parametrize(
    ("text", "image"),
    [
        ("[0.91, 0.09] for cat.jpg", "cat.jpg"),
        ("cat.jpg -> 0.91 0.09", "cat.jpg"),
        ("cat.jpg: [0.91 0.09]", "cat.jpg"),
        ("* **cat.jpg** => 0.91, 0.09.", "cat.jpg"),
        ("cat.jpg (0.91, 0.09)", "cat.jpg"),
        ('"data/cat.jpg": [0.91, 0.09],', "cat.jpg"),
        ("The output for cat.jpg is [[0.91, 0.09]] again", "cat.jpg"),
        ("0.91 0.09 for cat.jpg", "cat.jpg"),
        ("图片1: 0.91, 0.09", "图片1"),
        ("图片1：0.91，0.09", "图片1"),
        ("第1张图片的输出是 [0.91 0.09]", "第1张图片"),
        ("cat.jpg 的结果: 0.91 0.09", "cat.jpg"),
        ("image 1: 0.91 0.09", "image 1"),
        ("A: 0.91, 0.09", "A"),
        ("| cat.jpg | 0.91 | 0.09 |", "cat.jpg"),
        ("cat.jpg\n[[0.91 0.09]]", "cat.jpg"),
        ("cat.jpg:\narray([[0.91,\n        0.09]], dtype=float32)", "cat.jpg"),
    ],
)
def test_forms(text: str, image: str) -> None:
    assert rows(text) == [(image, TWO, "program")]


def test_a_printed_array_goes_over_many_lines() -> None:
    numbers = [round(i / 100, 2) for i in range(40)]
    body = "\n  ".join(" ".join(map(str, numbers[i : i + 8])) for i in range(0, 40, 8))
    assert rows(f"dog.png\n[[{body}]]\nnext line") == [("dog.png", numbers, "program")]
    assert rows(f"dog.png\n[[{body}\nKilled\n]]") == []


def test_tables_leave_out_columns_that_are_no_scores() -> None:
    text = (
        "| picture | cat | dog | time (ms) |\n|---|---|---|---|\n| a | 0.91 | 0.09 | 12.5 |\n| b | 0.2 | 0.8 | 12.7 |"
    )
    assert rows(text) == [("a", TWO, "program"), ("b", [0.2, 0.8], "program")]
    text = "| image | board | simulator |\n|---|---|---|\n| cat.jpg | 0.91, 0.09 | 0.2, 0.8 |"
    assert rows(text) == [("cat.jpg", TWO, "board"), ("cat.jpg", [0.2, 0.8], "simulator")]


def test_classes_beside_scores() -> None:
    found = read(
        "cat.jpg\nscore: 0.87 class: 3\nscore: 0.12 class: 5\ndog.jpg class_id=3, confidence=0.87\n类别: 2 置信度: 0.4"
    )
    told = [(e.fields.get("image"), e.fields["classes"], e.fields["scores"]) for e in found]
    assert told == [("cat.jpg", [3, 5], [0.87, 0.12]), ("dog.jpg", [3, 2], [0.87, 0.4])]


def test_places_and_runs() -> None:
    text = "Results on the board:\ncat.jpg: [0.91, 0.09]\nResults in the simulator:\ncat.jpg: [0.91, 0.09]\nONNX cat.jpg: [0.91, 0.09]"
    assert [place for _, _, place in rows(text)] == ["board", "simulator", "reference"]
    runs = read("run 1: 0.9 0.1\nsecond run: 0.9 0.1\n第三次：0.9, 0.1\ncat.jpg run 2: [0.9, 0.1]")
    assert [e.fields.get("run") for e in runs] == [1, 2, 3, 2]


@pytest.mark.parametrize(
    "text",
    [
        "2024-08-12 10:00:00.123 cat.jpg 640 640", "test.jpg: 12:30:45.123", "cat.jpg 2023-01-02 0.5", "cat.jpg 12.5 ms", "cat.jpg: 0.35 s",
        "cat.jpg: 1.2 MB", "cat.jpg 0.53", "loaded cat.jpg in 0.53", "cat.jpg took 0.5, 0.6", "cat.jpg size 1.5, 2.5", "cat.jpg 0.5x0.5",
        "cat.jpg: [1, 640, 640, 3]", "(1, 3, 640, 640) for cat.jpg", "cat.jpg shape [1.0, 640.0]", "output shape of cat.jpg: [1, 1000]",
        "mean [123.6, 116.2, 103.5] for cat.jpg", "cat.jpg scale 0.5, 0.5", "cat.jpg bbox [12.5, 13.5, 100.0, 120.0]", "cat.jpg cosine 0.99",
        "librknnrt version: 1.5.2 (c6b7b351a@2022) cat.jpg", "cat.jpg 2.3.2", "image 1 of 20: 12%", "frame 12 12.5 fps", "frame 12: 0.0123",
        "E: 0.5 volts", "T: 36.5 37.5", "-rw-r--r-- 1 root root 12.5K cat.jpg", "time 0.35, 0.36 for cat.jpg", "mAP 0.53 for set.npy",
        "rknn.config(mean_values=[[0.5, 0.5]]) # cat.jpg", "boxes = detect('cat.jpg', 0.25, 0.45)", "cat.jpg: 0.91, 0.09 (expected shape)",
        "[[0.91 0.09]]", "weights\n[[0.1 0.2]\n [0.3 0.4]]", "cat.jpg\n\n\n\n\nanchors [[0.1 0.2]]", "psnr for cat.jpg: 33.5, 34.5",
        "| layer | cosine | euclidean |\n|---|---|---|\n| conv1 | 0.99 | 0.5 |", "person @ (12 13 100 120) 0.88", "score: 0.87 m class: A",
    ],
)  # fmt: skip
def test_what_only_looks_like_an_answer(text: str) -> None:
    assert rows(text) == []


def test_hostile_lines_end() -> None:
    for line in ("->" * 490 + "x", "cat.jpg " + "-> " * 320, "cat.jpg " + "0.1 " * 240 + "x", "[" * 990, "cat.jpg [" + "1 " * 480,
                 "run 1 " * 160, "| " * 490, "第" * 990, "cat.jpg " + "1." * 490, "is the " * 140 + "cat.jpg 0.5 0.5 ms"):  # fmt: skip
        assert read("\n".join([line] * 20)) == []
    assert len(read("cat.jpg: [0.1, 0.2]\n" * (MAX_ANSWERS + 50))) == MAX_ANSWERS
    assert read("cat.jpg\n[[0.1 0.2\n" + "0.1 0.2\n" * 5000) == []


def test_lines_that_are_only_counted_are_looked_at_for_answers_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of lines that differ in nothing but numbers a thousand are matched; the rows of an answer are such lines."""
    seen: list[int] = []
    monkeypatch.setattr(reading.answer_lines, "events", lambda lines, file: seen.append(len(lines)) or [])
    reading.read_texts([("a", "\n".join(f"[{i / 9999:.4f} 0.5]" for i in range(3000)))])
    assert seen == [3000]
