"""The Python guard of one model as one file: Python 3.7 and numpy are enough, for boards."""

from __future__ import annotations

from pathlib import Path

from prepcheck.app.worlds import Prepared
from prepcheck.guarding.py_guard import py_guard

TITLE = "a guard for Python programs in one file (Python >= 3.7, numpy only)"
NEEDS = "model"


def export(prepared: Prepared) -> str:
    """The module's text."""
    return py_guard(prepared.world.contract, Path(prepared.subject.model or "model").name)
