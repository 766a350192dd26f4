"""The catalogue: nothing missing, the same places, Chinese characters, and the compiled file is that of the text."""

from __future__ import annotations

import re
import sys
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

messages = pytest.importorskip("messages", reason="Babel is not installed (part of the test extra)")


def test_nothing_is_missing_and_nothing_is_left_over() -> None:
    known = {m.id: m.string for m in messages.load() if m.id}
    wanted = messages.templates()
    assert sorted(set(wanted) - {k for k, v in known.items() if v}) == [], "python tools/messages.py missing"
    assert sorted(set(known) - set(wanted)) == [], "python tools/messages.py update"


def test_translations_are_translations() -> None:
    for message in messages.load():
        if not message.id:
            continue
        assert messages.places(message.id) == messages.places(message.string), message.id
        assert message.string != message.id
        assert re.search("[\u4e00-\u9fff]", message.string), message.id


def test_compiled_catalogue_is_current() -> None:
    committed, anew = (_strings(b) for b in (messages.PO.with_suffix(".mo").read_bytes(), messages.compiled()))
    assert committed == anew, "python tools/messages.py compile"


def _strings(mo: bytes) -> dict[str, str]:
    """What a compiled catalogue holds, without its header (it has the date)."""
    found = vars(GNUTranslations(BytesIO(mo)))["_catalog"]
    return {k: v for k, v in found.items() if k}
