"""The symptom index in the reader's language: titles, causes and tests; the data of the report stay as they are."""

from __future__ import annotations

import re

import pytest

from prepcheck.app.explain import Question, explain
from prepcheck.app.language import translator
from prepcheck.evidence.symptoms import Symptom, index

ENGLISH = re.compile(r"\b(?:the|is|are|of|and|that|which|with)\b")
CHINESE = translator("zh")


@pytest.mark.parametrize("symptom", index(), ids=lambda s: s.id)
def test_causes_and_tests_are_told_in_chinese(symptom: Symptom) -> None:
    report = explain(Question(symptom=symptom.zh), translate=CHINESE)
    (told,) = [f for f in report.findings if f.rule == "CN301"]
    assert symptom.zh in told.message
    assert not ENGLISH.search(told.explanation), told.explanation
    assert all(str(n) + "." in told.explanation for n in range(1, len(symptom.causes) + 1))
    steps = [t.do + " ".join(o.means for o in t.outcomes) for t in report.next_tests]
    assert steps
    assert not any(ENGLISH.search(s) for s in steps), steps


@pytest.mark.parametrize("symptom", index(), ids=lambda s: s.id)
def test_english_tells_every_cause_and_the_data_are_the_same(symptom: Symptom) -> None:
    english, chinese = (
        next(f for f in explain(Question(symptom=symptom.en), translate=t).findings if f.rule == "CN301")
        for t in (str, CHINESE)
    )
    for number, (what, because, rules) in enumerate(symptom.causes, 1):
        assert f"{number}. {what} ({because})" in english.explanation
        assert all(rule in english.explanation for rule in rules)
    assert english.evidence == chinese.evidence
