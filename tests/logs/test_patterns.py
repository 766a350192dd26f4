"""Every pattern finds its own example and says where it comes from; every finding has a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

import prepcheck.facts
import prepcheck.rules
from prepcheck.facts.log import LABELS
from prepcheck.logs.cleaning import clean
from prepcheck.logs.matching import find, split
from prepcheck.logs.patterns import Pattern, gates_of, loose, table

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
