"""Patterns of machine lines as data: loaded from `prepcheck/data/log_patterns_*.json`, each compiled when it is first tried.

A pattern: id, label (facts.log.LABELS), regex with named groups, `has` (lower-case words that stand in every line it
matches) or `any` (words of which one does), which are the index; means, source, example; optional: int, float, hex, dims (groups to convert), proves, runtime, size
(its got and need are two byte counts: a size explanation is looked for), near (ids of lines that it follows), goes_on (a
list that may be printed over several lines).
In a regex a space stands for any white space, and letters match in either case.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path

from prepcheck.facts.log import LABELS, Field
from prepcheck.records import dataclass

FOLDER = Path(__file__).resolve().parent.parent / "data"
_RUN = 4
_NUMBERS = re.compile(r"-?\d{1,18}")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One kind of machine line. order: place among all patterns; the lower one wins where two match the same text.

    expression: the regex as it is compiled (see `loose`); a short paste needs a handful of the four hundred.
    """

    id: str
    label: str
    expression: str
    has: tuple[str, ...]
    any: tuple[str, ...]
    gate: tuple[str, ...]
    order: int
    runtime: str | None
    means: str
    source: str
    example: str
    proves: str | None = None
    sizes: bool = False
    unit: int = 1
    near: tuple[str, ...] = ()
    goes_on: bool = False
    types: Mapping[str, str] = field(default_factory=dict)

    @property
    def regex(self) -> re.Pattern[str]:
        """The compiled expression."""
        return _compiled(self.expression)

    def fields(self, match: re.Match[str]) -> dict[str, Field]:
        """The named groups of a match, converted as the pattern says; groups that took no part are left out."""
        return {
            key: convert(text.strip(), self.types.get(key, "str"))
            for key, text in match.groupdict().items()
            if text is not None
        }


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


def convert(text: str, kind: str) -> Field:
    """A group's text as int, float, hexadecimal int or list of ints; the text itself where it is none."""
    try:
        if kind in ("int", "hex") and len(text) > 20:
            return text
        if kind == "int":
            return int(text)
        if kind == "float":
            return float(text)
        if kind == "hex":
            return int(text, 16)
    except ValueError:
        return text
    if kind == "dims":
        return [int(n) for n in _NUMBERS.findall(text)[:16]]
    return text


@dataclass(frozen=True, slots=True)
class Table:
    """All patterns. index: a word (one of `any`, else the first of `has`) → patterns.

    seams: the two characters before a cut through a word and the one behind it → the words and cuts that have them; for a
    cut behind a word's first character: a line end and its first two.
    heads: where a new machine line begins inside a physical one. gates: small letters of the words of which one stands in
    every line that counts (see `gates_of`): of large texts only lines with one are read.
    """

    patterns: tuple[Pattern, ...]
    index: Mapping[str, tuple[Pattern, ...]]
    runs: Mapping[str, tuple[str, ...]]
    short: tuple[str, ...]
    gates: tuple[bytes, ...]
    heads: re.Pattern[str]
    seams: Mapping[str, tuple[tuple[str, int], ...]]

    def candidates(self, lower: str, words: Iterable[str] | None = None) -> list[Pattern]:
        """The patterns whose words all stand in a lower-case line, best first. words: those of the index in it, where known."""
        found = {
            p.order: p
            for word in (self.words_in(lower) if words is None else words)
            for p in self.index[word]
            if all(w in lower for w in p.has)
        }
        return [found[order] for order in sorted(found)]

    def words_over(self, left: str, right: str) -> list[str]:
        """The words of the index that stand over the seam of two lower-case texts put together."""
        cuts = (*self.seams.get(left[-2:] + right[:1], ()), *self.seams.get("\n" + left[-1:] + right[:1], ()))
        return [word for word, at in cuts if left.endswith(word[:at]) and right.startswith(word[at:])]

    def words_in(self, lower: str) -> list[str]:
        """The words of the index that stand in a lower-case line.

        The line's runs of four characters are compared with one run of each word at once; only where one agrees the
        word itself is looked for.
        """
        runs = self.runs.keys() & {lower[i : i + _RUN] for i in range(len(lower) - _RUN + 1)}
        found = [word for run in runs for word in self.runs[run] if word in lower]
        found += [word for word in self.short if word in lower]
        return found

    def by_id(self, id: str) -> Pattern:
        """One pattern. Raises KeyError."""
        return next(p for p in self.patterns if p.id == id)


@cache
def table() -> Table:
    """All pattern files, in the order of their names (within a file: in the order written)."""
    patterns: list[Pattern] = []
    heads: list[str] = []
    for path in sorted(FOLDER.glob("log_patterns_*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        heads += document.get("heads", [])
        for entry in document["patterns"]:
            patterns.append(_pattern(entry, document.get("runtime"), len(patterns), path.name))
    index: dict[str, list[Pattern]] = {}
    for pattern in patterns:
        for word in pattern.any or pattern.has[:1]:
            index.setdefault(word, []).append(pattern)
    runs: dict[str, list[str]] = {}
    seams: dict[str, list[tuple[str, int]]] = {}
    for word in index:
        for at in range(1, len(word)):
            seams.setdefault("\n" + word[:2] if at == 1 else word[at - 2 : at + 1], []).append((word, at))
        if len(word) >= _RUN:
            runs.setdefault(rarest(word), []).append(word)
    return Table(
        tuple(patterns),
        {word: tuple(found) for word, found in index.items()},
        {run: tuple(words) for run, words in runs.items()},
        tuple(word for word in index if len(word) < _RUN),
        tuple(sorted({g.encode() for p in patterns if p.label != "harmless" for g in p.gate})),
        re.compile(r"(?<!\w)(?=" + "|".join(f"(?:{loose(h)})" for h in heads) + ")") if heads else re.compile(r"(?!)"),
        {key: tuple(cuts) for key, cuts in seams.items()},
    )


def _pattern(entry: Mapping[str, object], runtime: object, order: int, file: str) -> Pattern:
    name = str(entry.get("id"))
    label = str(entry["label"])
    if label not in LABELS:
        raise ValueError(f"{file}: {name}: label {label!r} is none of {', '.join(LABELS)}")
    types: dict[str, str] = {}
    for kind in ("int", "float", "hex", "dims"):
        types.update(dict.fromkeys(_words(entry.get(kind)), kind))
    has = tuple(word.lower() for word in _words(entry.get("has")))
    some = tuple(word.lower() for word in _words(entry.get("any")))
    if not has and not some:
        raise ValueError(f"{file}: {name}: neither has nor any")
    own = entry.get("runtime", runtime)
    unit = entry.get("unit", 1)
    return Pattern(
        id=name,
        label=label,
        expression=loose(str(entry["regex"])),
        has=has,
        any=some,
        gate=tuple(word.lower() for word in _words(entry.get("gate"))) or gates_of(has, some),
        order=order,
        runtime=None if own is None else str(own),
        means=str(entry["means"]),
        source=str(entry["source"]),
        example=str(entry["example"]),
        proves=None if entry.get("proves") is None else str(entry["proves"]),
        sizes=bool(entry.get("size", False)),
        unit=unit if isinstance(unit, int) else 1,
        near=_words(entry.get("near")),
        goes_on=bool(entry.get("goes_on", False)),
        types=types,
    )


def gates_of(has: Sequence[str], some: Sequence[str]) -> tuple[str, ...]:
    """The words that tell a pattern's lines from those of other programs: long ones, or with signs or digits in them.

    A pattern without such a word is not looked for in large texts, unless it states words of its own (`gate`).
    """
    telling = [w for w in has if _tells(w)]
    if telling:
        return (max(telling, key=lambda w: (len(w), w)),)
    return tuple(w for w in some if _tells(w))


def _tells(word: str) -> bool:
    return len(word) >= 8 or (len(word) >= 5 and re.search(r"[^a-z]", word.strip()) is not None)


_COMMON = re.compile(r"[a-z ]")


def rarest(word: str) -> str:
    """Four characters of a word that are rare in ordinary text: over signs, digits or the gap between two words."""
    runs = [word[i : i + _RUN] for i in range(len(word) - _RUN + 1)]
    return max(runs, key=lambda r: sum(_weight(c) for c in r) + (60 if " " in r.strip() else 0))


def _weight(char: str) -> int:
    if _COMMON.match(char) is None:
        return 30
    return 0 if char == " " else "etaoinsrhldcumfpgwybvkxjqz".index(char)


def _words(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    assert isinstance(value, Sequence)
    return tuple(str(v) for v in value)


def loose(regex: str) -> str:
    """A regex in which a space outside a character class stands for any white space (` ?` and ` *`: or none)."""
    out: list[str] = []
    inside = False
    at = 0
    while at < len(regex):
        char = regex[at]
        if char == "\\":
            out.append(regex[at : at + 2])
            at += 2
            continue
        inside = char == "[" or (inside and char != "]")
        if char == " " and not inside:
            while at < len(regex) and regex[at] == " ":
                at += 1
            none = at < len(regex) and regex[at] in "?*"
            at += none
            out.append(r"\s*" if none else r"\s+")
            continue
        out.append(char)
        at += 1
    return "".join(out)
