"""The words that an expression needs: no match is lost by looking for them first."""

from __future__ import annotations

import re

import pytest

from prepcheck.logs.needed import may_match, words_of
from prepcheck.logs.patterns import Pattern, table


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("Update cache to", (("update cache to",),)),
        (r"(?:Open\s+CL|load) cache", ((" cache", "open"), (" cache", "load"))),
        (r"(?:optional)? needed", ((" needed",),)),
        (r"(?!never)(?<!before)after", (("after",),)),
        (r"\d+ (?:a|bcd)", ()),
        (r"(?:abc){0,3}", ()),
        (r"(?:abc)+\d", (("abc",),)),
    ],
)
def test_words(pattern: str, words: tuple[tuple[str, ...], ...]) -> None:
    assert set(words_of(pattern)) == set(words)


@pytest.mark.parametrize("pattern", table().patterns, ids=lambda p: p.id)
def test_no_example_is_passed_over(pattern: Pattern) -> None:
    assert may_match(pattern.expression, pattern.example.lower())


def test_what_matches_is_always_tried() -> None:
    texts = [p.example for p in table().patterns]
    for p in table().patterns[::7]:
        for text in texts:
            if p.regex.search(text):
                assert may_match(p.expression, text.lower())


def test_letters_beyond_ascii_are_left_to_the_expression() -> None:
    assert re.search("tasks", "ta\u017fks", re.IGNORECASE)
    assert may_match("tasks", "ta\u017fks".lower())
    assert not may_match("tasks", "taxes")
