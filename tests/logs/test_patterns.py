"""Every pattern finds its own example and says where it comes from; every finding has a rule."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import prepcheck.facts
import prepcheck.rules
from prepcheck.facts.log import LABELS
from prepcheck.logs.cleaning import clean
from prepcheck.logs.matching import find, split
from prepcheck.logs.patterns import Pattern, gates_of, loose, table
from prepcheck.logs.reading import MAX_SHAPE, read_texts
from prepcheck.logs.texts import Gate

CODE = [
    *Path(prepcheck.rules.__file__ or "").parent.glob("*/*_log_*.py"),
    *Path(prepcheck.facts.__file__ or "").parent.glob("*.py"),
]
RULES = "\n".join(p.read_text(encoding="utf-8") for p in CODE)


@pytest.mark.parametrize("pattern", table().patterns, ids=lambda p: p.id)
def test_finds_its_example(pattern: Pattern) -> None:
    hits = [hit for part in split(clean(pattern.example).text) for hit in find(part)]
    assert pattern.id in [hit.pattern.id for hit in hits]
    assert pattern.label in LABELS
    assert pattern.means
    assert pattern.source


def test_ids_are_unique() -> None:
    ids = [p.id for p in table().patterns]
    assert len(ids) == len(set(ids))


def test_every_finding_is_judged() -> None:
    """Of RKNN, toolkits, RGA, tools and other runtimes; MNN's lines are judged by what several of them say together."""
    findings = [p for p in table().patterns if p.label == "finding" and not p.sizes and p.runtime != "mnn"]
    silent = [p.id for p in findings if f'"{p.id}"' not in RULES and f":{p.id}" not in RULES]
    assert silent == []


def test_spaces_in_patterns() -> None:
    assert loose("a b") == r"a\s+b"
    assert loose("a ?= ?b") == r"a\s*=\s*b"
    assert loose(r"[ *]x\ y") == r"[ *]x\ y"


def test_gates_tell_lines_apart() -> None:
    assert gates_of(["index"], []) == ()
    assert gates_of(["param input size"], []) == ("param input size",)
    assert gates_of([], ["none_mmu", "try"]) == ("none_mmu",)


def test_findings_are_looked_for_in_large_logs() -> None:
    """Every line that says what went wrong is let through by a gate; the exceptions are told apart by nothing but their place."""
    gate = Gate(table().gates)
    lost = {
        p.id
        for p in table().patterns
        if p.label in ("finding", "follow_up") and not gate.starts(p.example.lower().encode() + b"\n")
    }
    assert lost == {"ncnn_try", "kernel_trace"}


def test_a_line_repeated_with_other_numbers_is_counted() -> None:
    """Of a loop's lines the first thousand and what had passed before are read; all are counted; another line is still seen."""
    loop = [
        f"E RKNN: [10:00:00.{i % 1000:03d}] failed to submit!, op id: {i}, op name: Conv:conv{i}" for i in range(3500)
    ]
    last = "E RKNNAPI: rknn_inputs_set,  inputs[0].buf wrong, size = 32400 (min_size = 3240000)"
    book = read_texts([("a.log", "\n".join([*loop, last]))])
    kinds = Counter(e.kind for e in book.events)
    assert book.counts == {"finding": 3501}
    assert kinds["submit"] == 2 * MAX_SHAPE
    assert [e.fields["need"] for e in book.events if e.kind != "submit"] == [3240000]
