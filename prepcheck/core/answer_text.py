"""Answers as people write them: numbers with the digits that were printed, or `class: score` pairs. Standard library only."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_NUMBERS = 1 << 22
"""Numbers that one answer may have: a detector's largest output has about a million."""
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_ONE = re.compile(_NUMBER, re.ASCII)
_PAIR = re.compile(rf"(\d+)\s*[:=]\s*({_NUMBER})", re.ASCII)
_PAIRS = re.compile(rf"\s*[\[{{(]?\s*(?:\d+\s*[:=]\s*{_NUMBER}\s*[,;\s]*)+[\]}})]?\s*", re.ASCII)
_NAMED = re.compile(r"\s*([A-Za-z_][\w./:-]*)\s*=\s*(?=[\[{(+\-.\d])")
_WORDS = re.compile(r"[+-]?(?:nan|inf(?:inity)?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. values: as printed. halves: half a unit of each one's last printed digit (the finest of
    the answer's plain numbers counts for all of them).

    classes: the place of each value in the output, where the text gives them (`282: 0.41`), else empty.
    output: the name of the output, where it is given (`prob=0.1,0.9`).
    """

    values: tuple[float, ...]
    halves: tuple[float, ...]
    classes: tuple[int, ...] = ()
    output: str | None = None

    @property
    def whole(self) -> bool:
        """Whether every number was printed without a point: codes, perhaps."""
        return all(h == 0.5 and v == int(v) for v, h in zip(self.values, self.halves, strict=True))


def half_unit(word: str) -> float:
    """Half a unit of the last digit of a printed number: 0.00005 for `0.9994`, 0.5 for `12`, 5 for `1.2e2`."""
    mantissa, _, exponent = word.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return float(0.5 * 10.0 ** (int(exponent or 0) - decimals))


def parse(text: str) -> Answer:
    """`0.9994,0.0006`, `[0.99 0.01]`, `282:0.41, 281:0.2`, each after `NAME=` where the output is named → Answer.

    Raises ValueError with what is wrong: a word that is no number, NaN, infinity, a class given twice, too many.
    """
    output = None
    named = _NAMED.match(text)
    if named:
        output, text = named[1], text[named.end() :]
    if _PAIRS.fullmatch(text):
        pairs = _PAIR.findall(text)
        classes = tuple(int(c) for c, _ in pairs)
        if len(set(classes)) != len(classes):
            twice = next(c for c in classes if classes.count(c) > 1)
            raise ValueError(f"class {twice} stands there twice")
        return _made([w for _, w in pairs], classes, output)
    words = [w for w in re.split(r"[\s,;\[\](){}]+", text) if w]
    for word in words:
        if _WORDS.fullmatch(word):
            raise ValueError(f"{word} is no number that a model's fault could be told by: the answer itself is broken")
        if not _ONE.fullmatch(word):
            raise ValueError(f"{word[:40]!r} is no number; numbers with commas between them are needed, as in 0.9994,0.0006, "
                             "or class: score pairs, as in 282:0.41,281:0.2")  # fmt: skip
    return _made(words, (), output)


def _made(words: list[str], classes: tuple[int, ...], output: str | None) -> Answer:
    if len(words) > MAX_NUMBERS:
        raise ValueError(f"{len(words)} numbers; at most {MAX_NUMBERS} are read")
    values = tuple(float(w) for w in words)
    if any(v in (float("inf"), float("-inf")) for v in values):
        raise ValueError("a number is beyond what a float holds")
    # `0.2` beside `0.41` was rounded like it, its zero left out: the finest digits of one answer count for all.
    finest = min((half_unit(w) for w in words if "e" not in w.lower()), default=0.5)
    halves = tuple(half_unit(w) if "e" in w.lower() else finest for w in words)
    return Answer(values, halves, classes, output)
