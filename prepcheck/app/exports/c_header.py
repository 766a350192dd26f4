"""The C guard of one model: one header, C99 and C++11, no allocation; checks calls before the vendor's functions run."""

from __future__ import annotations

from pathlib import Path

from prepcheck.app.worlds import Prepared
from prepcheck.guarding.c_header import c_header

TITLE = "a guard header for C and C++ programs, checked before every run"
NEEDS = "model"


def export(prepared: Prepared) -> str:
    """The header's text. Raises UsageError for runtimes and shapes that it cannot serve."""
    name = Path(prepared.subject.model or "model").stem
    return c_header(prepared.world.contract, name)
