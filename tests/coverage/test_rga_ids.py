"""The list of RGA's entries is that of the reference."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT.parent / "shared" / "reference" / "rga.md"


def test_the_list_is_that_of_the_reference() -> None:
    if not REFERENCE.exists():
        pytest.skip(f"{REFERENCE.name} does not lie beside the checkout")
    text = REFERENCE.read_text(encoding="utf-8")
    wanted = {f"rga:{key}" for key in re.findall(r"^\*\*(R-[A-Z]\d\d|Z-\d\d)\b", text, re.M)}
    listed = json.loads((Path(__file__).parent / "ids_rga.json").read_text(encoding="utf-8"))
    assert set(listed) == wanted
    assert {entry["confidence"] for entry in listed.values()} == {"H", "M"}
