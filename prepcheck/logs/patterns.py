"""Patterns of machine lines as data: loaded from `prepcheck/data/log_patterns_*.json`, compiled on first use.

A pattern: id, label (facts.log.LABELS), regex with named groups, `has` (lower-case words that stand in every line it
matches: the index), means, source, example; optional: int, float, hex, dims (groups to convert), proves, runtime, size
(its got and need are two byte counts: a size explanation is looked for), near (ids of lines that it follows), goes_on (a
list that may be printed over several lines).
In a regex a space stands for any white space, and letters match in either case.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from prepcheck.facts.log import LABELS, Field

FOLDER = Path(__file__).resolve().parent.parent / "data"
_NUMBERS = re.compile(r"-?\d{1,18}")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One kind of machine line. order: place among all patterns; the lower one wins where two match the same text."""

    id: str
    label: str
    regex: re.Pattern[str]
    has: tuple[str, ...]
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

    def fields(self, match: re.Match[str]) -> dict[str, Field]:
        """The named groups of a match, converted as the pattern says; groups that took no part are left out."""
        return {
            key: convert(text.strip(), self.types.get(key, "str"))
            for key, text in match.groupdict().items()
            if text is not None
        }


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
    """All patterns. index: first word of `has` → patterns. heads: where a new machine line begins inside a physical one."""

    patterns: tuple[Pattern, ...]
    index: Mapping[str, tuple[Pattern, ...]]
    gates: tuple[bytes, ...]
    heads: re.Pattern[str]

    def candidates(self, lower: str) -> list[Pattern]:
        """The patterns whose words all stand in a lower-case line, best first."""
        found = [
            p
            for word, patterns in self.index.items()
            if word in lower
            for p in patterns
            if all(other in lower for other in p.has[1:])
        ]
        found.sort(key=lambda p: p.order)
        return found

    def by_id(self, id: str) -> Pattern:
        """One pattern. Raises KeyError."""
        return next(p for p in self.patterns if p.id == id)


@cache
def table() -> Table:
    """All pattern files, in the order of their names (within a file: in the order written)."""
    patterns: list[Pattern] = []
    heads: list[str] = []
    gates: list[str] = []
    for path in sorted(FOLDER.glob("log_patterns_*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        heads += document.get("heads", [])
        gates += document.get("gates", [])
        for entry in document["patterns"]:
            patterns.append(_pattern(entry, document.get("runtime"), len(patterns), path.name))
    index: dict[str, list[Pattern]] = {}
    for pattern in patterns:
        index.setdefault(pattern.has[0], []).append(pattern)
    return Table(
        tuple(patterns),
        {word: tuple(found) for word, found in index.items()},
        tuple(sorted({g.encode() for g in gates})),
        re.compile(r"(?<!\w)(?=" + "|".join(f"(?:{loose(h)})" for h in heads) + ")") if heads else re.compile(r"(?!)"),
    )


def _pattern(entry: Mapping[str, object], runtime: object, order: int, file: str) -> Pattern:
    name = str(entry.get("id"))
    label = str(entry["label"])
    if label not in LABELS:
        raise ValueError(f"{file}: {name}: label {label!r} is none of {', '.join(LABELS)}")
    types: dict[str, str] = {}
    for kind in ("int", "float", "hex", "dims"):
        types.update(dict.fromkeys(_words(entry.get(kind)), kind))
    has = tuple(word.lower() for word in _words(entry["has"]))
    own = entry.get("runtime", runtime)
    unit = entry.get("unit", 1)
    return Pattern(
        id=name,
        label=label,
        regex=re.compile(loose(str(entry["regex"])), re.IGNORECASE),
        has=has,
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
