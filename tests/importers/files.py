"""Foreign files of our own making, in the style of public ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prepcheck.contract.loading import plan_from_text
from prepcheck.importers.choosing import document_from_text, read_document, read_foreign
from prepcheck.importers.imported import Imported

FILES = Path(__file__).parent / "files"


def imported(name: str) -> Imported:
    """The import of one of the files; its text reads back as the plan that it is."""
    found = read_foreign(FILES / name)
    assert plan_from_text(found.text(), name + ".plan.yaml").prepcheck == "plan/v1"
    return found


def plan(name: str) -> dict[str, Any]:
    """Its plan, without types in the way."""
    found: dict[str, Any] = imported(name).plan
    return found


def from_text(text: str, name: str) -> Imported:
    """The import of a text."""
    return read_document(document_from_text(text, name))
