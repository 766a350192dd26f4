"""docs/coverage.md is what the rules say, and nothing of the list is left without a place."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT.parent / "shared" / "reference" / "rknn-runtime.md"


def test_the_page_is_up_to_date_and_complete() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "coverage.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_list_is_that_of_the_reference() -> None:
    if not REFERENCE.exists():
        pytest.skip(f"{REFERENCE.name} does not lie beside the checkout")
    wanted = set()
    for line in REFERENCE.read_text(encoding="utf-8").splitlines():
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if re.fullmatch(r"[A-Z]-\d\d", cells[0]) and cells[-1][:1] in ("H", "M"):
            wanted.add(f"runtime:{cells[0]}")
    listed = json.loads((Path(__file__).parent / "ids.json").read_text(encoding="utf-8"))
    assert {key for key in listed if key.startswith("runtime:")} == wanted
