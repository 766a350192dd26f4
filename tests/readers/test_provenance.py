"""The closed list of what `Tensor.provenance` can say."""

from __future__ import annotations

import re
from pathlib import Path

import prepcheck
from prepcheck.readers.provenance import FILE, RULES

PACKAGE = Path(prepcheck.__file__ or "").parent
CITED = re.compile(r"[\"']((?:rule:)[A-Z0-9]+(?:-[A-Z0-9]+)+)[\"']")


def test_every_rule_that_a_contract_can_cite_is_explained_and_no_other() -> None:
    """Searched in the sources: a script that reads a contract may look up every name it meets."""
    cited = {
        name
        for path in PACKAGE.rglob("*.py")
        if path.name != "provenance.py"
        for name in CITED.findall(path.read_text(encoding="utf-8"))
    }
    assert cited == set(RULES)
    assert FILE == "file"


def test_explanations_differ_and_name_their_source_where_they_are_measured() -> None:
    assert len(set(RULES.values())) == len(RULES)
    for text in RULES.values():
        assert len(text) > 20
        assert "measured" not in text or re.search(r"measured: lib\w+ \d+\.\d+\.\d+", text)
