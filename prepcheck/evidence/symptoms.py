"""Symptoms in the user's words, English and Chinese: causes in order, one separating test each. Data, not code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from prepcheck.evidence.assessment import Assessment, Test
from prepcheck.facts.log import LogBook
from prepcheck.facts.symptom import NamedSymptom
from prepcheck.facts.world import World
from prepcheck.records import dataclass

FILE = Path(__file__).resolve().parent.parent / "data" / "symptoms.json"
MAX_TEXT = 4000
"""Characters of free text that are looked at for a symptom."""


@dataclass(frozen=True, slots=True)
class Symptom:
    """One entry of the index. causes: (what, because, rules) in order; tests: (do, outcomes)."""

    id: str
    en: str
    zh: str
    words: tuple[re.Pattern[str], ...]
    causes: tuple[tuple[str, str, tuple[str, ...]], ...]
    tests: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


@cache
def index() -> tuple[Symptom, ...]:
    """All symptoms, in the order of the file."""
    entries = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(
        Symptom(
            id=e["id"],
            en=e["en"],
            zh=e["zh"],
            words=tuple(re.compile(w, re.IGNORECASE) for w in e["words"]),
            causes=tuple((c["what"], c["because"], tuple(c["rules"])) for c in e["causes"]),
            tests=tuple((t["do"], tuple((s, m) for s, m in t["outcomes"])) for t in e["tests"]),
        )
        for e in entries
    )


def matching(text: str) -> list[Symptom]:
    """Symptoms that a text names: by id, by their title, or by their words; the best first."""
    plain = " ".join(text[:MAX_TEXT].split())
    scored: list[tuple[int, int, Symptom]] = []
    for order, symptom in enumerate(index()):
        if plain.lower() in (symptom.id, symptom.en.lower()) or plain == symptom.zh:
            return [symptom]
        hits = sum(bool(w.search(plain)) for w in symptom.words)
        if hits:
            scored.append((-hits, order, symptom))
    return [s for _, _, s in sorted(scored, key=lambda row: row[:2])]


def named(texts: Iterable[str], translate: Callable[[str], str] = str) -> tuple[NamedSymptom, ...]:
    """The symptoms that the user's words name, each once: at most three of a text, as facts for the rules.

    translate: into the reader's language, for the causes as they are told.
    """
    found: list[Symptom] = []
    for text in texts:
        found += [s for s in matching(text)[:3] if s not in found]
    return tuple(NamedSymptom(s.id, s.en, s.zh, s.causes, _told(s, translate)) for s in found)


def _told(symptom: Symptom, translate: Callable[[str], str]) -> tuple[str, ...]:
    """The causes as numbered sentences in the reader's language."""
    plain = translate("{number}. {what} ({because})")
    ruled = translate("{number}. {what} ({because}) [rules {rules}]")
    return tuple(
        (ruled if rules else plain).format(
            number=number, what=translate(what), because=translate(because), rules=", ".join(rules)
        )
        for number, (what, because, rules) in enumerate(symptom.causes, 1)
    )


def from_symptoms(book: LogBook, world: World) -> Assessment:
    """The separating test of each symptom that the user names."""
    wanted = [s.id for s in world.extra.get("named_symptoms", ()) if isinstance(s, NamedSymptom)]
    by_id = {s.id: s for s in index()}
    return Assessment(
        next_tests=tuple(
            Test(do, outcomes, {}, rank=25 + 5 * place)
            for place, key in enumerate(wanted)
            for do, outcomes in _escaped(by_id[key])
        )
    )


def _escaped(symptom: Symptom) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """The tests as templates: braces of commands are literal."""

    def lit(text: str) -> str:
        return text.replace("{", "{{").replace("}", "}}")

    return [(lit(do), tuple((lit(a), lit(b)) for a, b in outcomes)) for do, outcomes in symptom.tests]
