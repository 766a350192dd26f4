"""What must stand in a text for a regular expression to match at all: literals, found in the expression itself.

Looking for words is far cheaper than trying an expression at every place of a line. Nothing is lost: where no literal can be
told, or the text holds letters whose case is not that of ASCII, the expression is tried.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import cast

parser = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
"""The standard library's own: the only one that reads expressions exactly as `re` does. It has no public name."""

MAX_WAYS = 48
"""Alternatives of one expression that are told apart."""
SHORT = 3
"""Characters that a word needs at least: shorter ones stand in every line."""

Ways = tuple[frozenset[str], ...]
Parsed = Iterable[tuple[object, object]]
"""Operators of a parsed expression with their values, as the standard library gives them."""


@lru_cache(maxsize=4096)
def words_of(pattern: str) -> tuple[tuple[str, ...], ...]:
    """Small letters: every match of the expression (letters in either case) holds all words of one of these. Empty: not known."""
    ways = _of(parser.parse(pattern))
    return tuple(sorted({tuple(sorted(way, key=lambda w: (-len(w), w))) for way in ways})) if all(ways) else ()


def may_match(pattern: str, lower: str) -> bool:
    """Whether a text, in small letters, holds what an expression needs."""
    for way in words_of(pattern):
        for word in way:
            if word not in lower:
                break
        else:
            return True
    return not words_of(pattern) or not lower.isascii()


def _of(items: Parsed) -> Ways:
    """The ways to match a sequence, each with the words that it needs."""
    ways: Ways = (frozenset(),)
    run = ""
    for op, value in [*items, (None, None)]:
        if op is parser.LITERAL:
            run += chr(cast(int, value)).lower()
            continue
        if len(run) >= SHORT and run.isascii():
            ways = tuple(way | {run} for way in ways)
        run = ""
        inner = _one(op, value)
        if all(inner) and len(inner) * len(ways) <= MAX_WAYS:
            ways = tuple(way | more for way in ways for more in inner)
    return ways


def _one(op: object, value: object) -> Ways:
    """The ways of one element; one way without words where nothing is needed."""
    if op is parser.SUBPATTERN:
        return _of(cast("Sequence[Parsed]", value)[3])
    if op is parser.BRANCH:
        alternatives = cast("Sequence[Sequence[Parsed]]", value)[1]
        return tuple(way for alternative in alternatives for way in _of(alternative))
    if op in (parser.MAX_REPEAT, parser.MIN_REPEAT):
        least, _, inner = cast("tuple[int, int, Parsed]", value)
        if least >= 1:
            return _of(inner)
    return (frozenset(),)
