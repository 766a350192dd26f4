"""The closed table of notes: each kind is given by a reader, with the values that the table says."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from prepcheck import readers
from prepcheck.readers.notes import KINDS, note

READERS = Path(readers.__file__ or "").parent


def given() -> dict[str, set[str]]:
    """kind → names of values (`**`: further ones), of every call `note("kind", name=…)` in the readers."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in READERS.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "note" and node.args:
                for kind in ast.walk(node.args[0]):
                    if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
                        found[kind.value] |= {k.arg or "**" for k in node.keywords}
    return found


def test_the_table_is_what_the_readers_give() -> None:
    """A kind or a value that nobody gives would be a rule that waits for ever."""
    calls = given()
    assert set(calls) <= set(KINDS)
    written = "\n".join(p.read_text(encoding="utf-8") for p in READERS.glob("*.py") if p.name != "notes.py")
    for kind, (text, values) in KINDS.items():
        assert f'"{kind}"' in written, kind
        assert text.endswith((".", ".)")), kind
        if kind in calls:
            named = calls[kind] - {"**"}
            open_ = set(values) - named if "**" in calls[kind] else set()  # `input` or `output`, as the side is
            assert named | open_ == set(values), kind
            assert open_ <= {"input", "output"}, kind


def test_values_that_are_not_listed_are_a_fault_of_ours() -> None:
    with pytest.raises(KeyError):
        note("no_such_note")
    with pytest.raises(ValueError, match=r"^note trailing_bytes has no value byte; it has bytes, offset$"):
        note("trailing_bytes", bytes=1, byte=3)
    with pytest.raises(ValueError, match=r"^note training_model has no value a; it has $"):
        note("training_model", a=1, b=2)
    assert note("trailing_bytes", offset=3).values == {"offset": 3}
