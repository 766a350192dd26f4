"""The facts behind the short ids of sources (`mnn:I22`, `runtime:P-10`, `rga:R-C03`, `format:5b-4`). Read on first use.

`sources_<prefix>.json` holds one entry an id: the fact in one sentence, the public places it comes from, and the
confidence. `sources_documents.json` says where the documents that the places name are published.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
TITLES: Final[Mapping[str, str]] = {
    "runtime": "The RKNN runtimes",
    "format": "Values, zero points and memory of RKNN models",
    "rga": "RGA",
    "mnn": "MNN",
}
"""Prefix of an id → what its facts are about."""

CONFIDENCES: Final = ("high", "medium", "low")
"""Measured, or documented and seen · documented, or well inferred · inferred."""

_ID: Final = re.compile(r"\b(?:runtime:[A-Z]-\d+|format:\d[a-z]-\d+|rga:(?:R-)?[A-Z]-?\d+|mnn:[A-Z]\d+)\b")
_REPOSITORY: Final = r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+"
_KINDS: Final = {
    "issue": re.compile(_REPOSITORY + r"#\d+"),
    "file": re.compile(_REPOSITORY + r": [A-Za-z0-9_*./-]*[A-Za-z0-9](?:,? .+)?"),
    "measured": re.compile(r"measured: [^,]*\d\.\d[^,]*, .+"),
    "inferred": re.compile(r"inferred: .+"),
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One entry. places: the public places that state the fact, in the forms that `place_kind` knows."""

    id: str
    statement: str
    places: tuple[str, ...]
    confidence: str

    @property
    def anchor(self) -> str:
        """The entry's anchor on the page of sources: the id as the renderers of headings write it."""
        return self.id.lower().replace(":", "")


@cache
def _entries(prefix: str) -> Mapping[str, Fact]:
    raw = json.loads((FOLDER / f"sources_{prefix}.json").read_text(encoding="utf-8"))
    return {key: Fact(key, e["statement"], tuple(e["places"]), e["confidence"]) for key, e in raw.items()}


def fact(source: str) -> Fact | None:
    """The entry of a rule's source; None where the source is a place already, or an id without an entry."""
    return _entries(source.partition(":")[0]).get(source) if _ID.fullmatch(source) else None


def ids_in(text: str) -> list[str]:
    """The ids that a text cites, each once, in order."""
    return list(dict.fromkeys(m[0] for m in _ID.finditer(text)))


def all_facts() -> list[Fact]:
    """Every entry, prefix by prefix, in the order of the files."""
    return [entry for prefix in TITLES for entry in _entries(prefix).values()]


@cache
def documents() -> Mapping[str, str]:
    """Name of a document as places write it → where it is published."""
    found: Mapping[str, str] = json.loads((FOLDER / "sources_documents.json").read_text(encoding="utf-8"))
    return found


def place_kind(place: str) -> str | None:
    """`issue` (owner/repo#N), `file` (owner/repo: path), `measured`, `inferred`, `document`; None: no place at all."""
    for kind, pattern in _KINDS.items():
        if pattern.fullmatch(place):
            return kind
    return "document" if document_of(place) else None


def document_of(place: str) -> str | None:
    """The document that a place begins with, by its name in `documents()`."""
    return next((name for name in documents() if re.match(re.escape(name) + r"(?:$|[ ,])", place)), None)
