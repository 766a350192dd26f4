"""Cleaned lines → events: joined lines are split at the heads of machine lines, wrapped ones are put together again."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from prepcheck.facts.log import Field
from prepcheck.logs import tensors
from prepcheck.logs.cleaning import Line
from prepcheck.logs.needed import may_match
from prepcheck.logs.patterns import Pattern, table
from prepcheck.records import dataclass

MAX_JOIN = 12
"""Physical lines that one machine line may be wrapped over."""
MAX_JOINED = 2000
"""Characters of a line that is put together."""


_VARIANTS = 16
"""Ways to put a line together that are followed at once: at every seam with and without a space."""


JOIN_WORK, JOIN_SHARE = 1_000_000, 0.5
"""Characters of put-together lines that are searched in one text, and as many more for each character that was read:
lines made to be tried in every way cost what others do. Measured: 0.6 µs for each, wrapped logs need 0.1 to 0.3."""
PASSED = 60
"""Characters that a line counts for where it was passed over."""
_FULL = 0.6
"""Share of the first part's length that the middle parts of a wrapped line have at least."""
_REST = 12
"""Characters behind the last hit of a line from which on they may be the beginning of another one, cut by a wrap."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One machine line found in a text. start, end: the part of the text that it takes."""

    pattern: Pattern
    fields: dict[str, Field]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """One machine line or one that no pattern knows, with the physical lines it came from. hits: empty where unknown."""

    line: Line
    text: str
    hits: tuple[Hit, ...]
    last: int


def find(text: str, words: frozenset[str] | None = None) -> tuple[Hit, ...]:
    """All machine lines in a text, in order. Of those that overlap, harmless ones give way, then the shorter ones.

    words: those of the pattern index that stand in the text, where they are known.
    """
    return _hits(text, table().candidates(text.lower(), words))


@lru_cache(maxsize=64)
def _words(text: str) -> frozenset[str]:
    """The words of the index in a text; a line is asked for again by each of those before it that may go on in it."""
    return frozenset(table().words_in(text.lower()))


def _hits(text: str, candidates: list[Pattern]) -> tuple[Hit, ...]:
    found: list[Hit] = []
    for pattern in _able(candidates, text.lower()):
        if pattern.id == "tensor":
            found += _tensors(pattern, text)
            continue
        for match in pattern.regex.finditer(text):
            if match.end() > match.start():
                found.append(Hit(pattern, pattern.fields(match), match.start(), match.end()))
    if len(found) > 1:
        found = _apart(found)
    return tuple(found)


def _able(candidates: list[Pattern], lower: str) -> list[Pattern]:
    """Those whose expression can match at all."""
    return [p for p in candidates if may_match(p.expression, lower)]


def _apart(found: list[Hit]) -> list[Hit]:
    kept: list[Hit] = []
    for hit in sorted(found, key=lambda h: (h.pattern.label == "harmless", h.start - h.end, h.pattern.order)):
        if _free(hit, kept):
            kept.append(hit)
    return sorted(kept, key=lambda h: h.start)


def _free(hit: Hit, taken: list[Hit]) -> bool:
    return all(hit.end <= t.start or t.end <= hit.start for t in taken)


def _tensors(pattern: Pattern, text: str) -> Iterator[Hit]:
    at = 0
    while True:
        start = tensors.START.search(text, at)
        if start is None:
            return
        found = tensors.parse(text[start.start() :])
        if found is None:
            at = start.end()
            continue
        fields, end = found
        yield Hit(pattern, fields, start.start(), start.start() + end)
        at = start.start() + max(end, 1)


_WINDOW = 4096
"""Characters of a physical line that are looked at together: machine lines are shorter, hostile ones longer."""
_ONLY_HEAD = re.compile(r"[VDIWEF] ?/?[\w. ]{1,40}:?\s*\Z")


def split(text: str) -> list[str]:
    """A physical line cut where new machine lines begin; a level and tag stay with what follows them."""
    heads = table().heads
    starts = {m.start() + at for at in range(0, len(text), _WINDOW) for m in heads.finditer(text[at : at + _WINDOW])}
    cuts = (
        sorted({0, *range(0, len(text), _WINDOW), *starts, len(text)})
        if len(text) > _WINDOW
        else sorted({0, *starts, len(text)})
    )
    parts: list[str] = []
    for a, b in itertools.pairwise(cuts):
        part = text[a:b].strip()
        if parts and _ONLY_HEAD.match(parts[-1]):
            parts[-1] += " " + part
        elif part:
            parts.append(part)
    return parts


def pieces(lines: Iterator[Line]) -> Iterator[Piece]:
    """The machine lines of a run of physical lines. Looks at most MAX_JOIN lines ahead."""
    waiting: list[tuple[Line, str]] = []
    exhausted = False
    effort = _Effort()

    def fill(count: int) -> None:
        nonlocal exhausted
        while not exhausted and len(waiting) < count:
            line = next(lines, None)
            if line is None:
                exhausted = True
                return
            waiting.extend((line, part) for part in split(line.text))

    while True:
        fill(MAX_JOIN + 1)
        if not waiting:
            return
        line, text = waiting.pop(0)
        hits = find(text, _words(text))
        effort.earn(line, len(text))
        joined = _join(text, hits, waiting, effort) if effort.left > 0 and (line.own or hits) else None
        last = line.number
        if joined is not None:
            text, hits, used = joined
            last = waiting[used - 1][0].number
            del waiting[:used]
        yield Piece(line, text, hits, last)


@dataclass(frozen=False, slots=True)
class _Effort:
    """left: characters of put-together lines that may still be searched."""

    left: float = JOIN_WORK
    number: int = 0

    def earn(self, line: Line, characters: int) -> None:
        """For a line that is read, and for those of a large text that were passed over before it."""
        passed = max(0, line.number - self.number - 1) * PASSED
        self.number = line.number
        self.left = min(JOIN_WORK, self.left + (characters + passed) * JOIN_SHARE)


def _join(
    text: str, hits: tuple[Hit, ...], following: list[tuple[Line, str]], effort: _Effort
) -> tuple[str, tuple[Hit, ...], int] | None:
    """The line put together with those that follow, where that says more than the line alone; how many it took."""
    if _whole(text, hits) or not following:
        return None
    reach = MAX_JOIN if hits else _reach(text, following[0][1])
    early = 1 if hits and not hits[-1].pattern.goes_on else 2
    variants = [_Variant(text, _words(text))]
    best: tuple[str, tuple[Hit, ...], int] | None = None
    before = text
    for used, (_, more) in enumerate(following[: reach - 1], 1):
        if _begins(more) or len(variants[0].text) + len(more) > MAX_JOINED:
            break
        if used > early and len(before) < _FULL * len(text):
            break  # the line before was no full one: what wraps a line fills all of its parts but the last
        variants = [v.plus(glue, more) for v in variants[: _VARIANTS // 2] for glue in ("", " ")]
        effort.left -= len(variants) * len(variants[-1].text)
        better = [(v, found) for v in variants if (found := _across(v, len(text), hits))]
        before = more
        if better:
            chosen, found = max(better, key=lambda item: _worth(item[1]))
            if best is None or _worth(found) > _worth(best[1]) or found[-1].pattern.goes_on:
                best = (chosen.text, found, used)
            variants = [chosen]
            if _whole(chosen.text, found):
                break
    return best


@dataclass(frozen=True, slots=True)
class _Variant:
    """A line as put together so far. words: those of the index in it, kept up to date from part to part."""

    text: str
    words: frozenset[str]

    def plus(self, glue: str, more: str) -> _Variant:
        """With one more part behind it."""
        left = self.text + glue
        over = table().words_over(left[-_LONGEST:].lower(), more[:_LONGEST].lower())
        if glue:  # a word may end in the space itself
            over += table().words_over(self.text[-_LONGEST:].lower(), glue)
        return _Variant(left + more, self.words.union(_words(more), over))


_LONGEST = 64
"""Characters on each side of a seam that a word of the index may take at most."""
_SEAM = 32


def _reach(text: str, more: str) -> int:
    """Over how many lines one without a hit is followed: as it says all, some or no words of a pattern."""
    lower = text.lower()
    if tensors.START.search(text) is not None or any(p.gate for p in table().candidates(lower)):
        return MAX_JOIN
    if _begins(text) or table().words_in(lower):
        return 3
    seam = lower[-_SEAM:] + more[:_SEAM].lower()
    return 2 if table().words_in(seam) and not table().words_in(more[:_SEAM].lower()) else 1


def _begins(text: str) -> bool:
    """Whether a machine line begins here, so that it goes on no other."""
    return table().heads.match(text) is not None


def _whole(text: str, hits: tuple[Hit, ...]) -> bool:
    """Whether the last hit of a line lacks nothing."""
    if not hits:
        return False
    last = hits[-1]
    if last.pattern.id == "tensor":
        return tensors.complete(last.fields)
    if last.pattern.goes_on:
        return False
    rest = text[last.end :].strip(" .,;:!)\"'")
    return not (set(last.pattern.regex.groupindex) - set(last.fields)) and len(rest) < _REST


def _across(variant: _Variant, seam: int, before: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """The hits of a joined line, where one of them reaches over the seam and states more than before; else none."""
    text = variant.text
    lower = text.lower()
    candidates = _able(table().candidates(lower, variant.words), lower)
    if not any(p.id == "tensor" or _reaches(p, text, seam, before) for p in candidates):
        return ()
    hits = _hits(text, candidates)
    over = [h for h in hits if h.start < seam < h.end]
    if not over:
        return ()
    same = next((b for b in before if b.pattern.id == over[0].pattern.id and b.start == over[0].start), None)
    if same is not None and len(over[0].fields) <= len(same.fields):
        return hits if over[0].pattern.goes_on and over[0].fields != same.fields else ()
    return hits


def _reaches(pattern: Pattern, text: str, seam: int, before: tuple[Hit, ...]) -> bool:
    """Whether a pattern matches over the seam, and there states more than it did before."""
    for match in pattern.regex.finditer(text):
        if match.start() < seam < match.end():
            same = next((b for b in before if b.pattern is pattern and b.start == match.start()), None)
            if same is None or pattern.goes_on or sum(g is not None for g in match.groups()) > len(same.fields):
                return True
    return False


def _worth(hits: tuple[Hit, ...]) -> int:
    return sum(tensors.consistent(h.fields) if h.pattern.id == "tensor" else 1 + len(h.fields) for h in hits)
