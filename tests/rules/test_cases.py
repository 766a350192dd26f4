"""Every rule's cases, and that every rule has them."""

from __future__ import annotations

import pytest

from prepcheck.engine.loading import rule_files
from tests.rules.harness import CASES, Case, cases, problem


@pytest.mark.parametrize("case", cases(), ids=lambda c: f"{c.rule}/{c.path.stem}")
def test_case(case: Case) -> None:
    assert case.path.stem.split("_")[0] in ("fail", "pass", "unknown", "info")
    assert case.body["expect"] == case.path.stem.split("_")[0]
    assert problem(case) is None


@pytest.mark.parametrize("rule", sorted(rule_files()))
def test_every_rule_has_cases(rule: str) -> None:
    kinds = {path.stem.split("_")[0] for path in (CASES / rule).glob("*.yaml")}
    assert kinds & {"fail", "info"}, f"{rule} has no failing case"
    assert "pass" in kinds, f"{rule} has no look-alike that passes"


def test_no_case_without_a_rule() -> None:
    assert {path.name for path in CASES.iterdir() if path.is_dir()} <= set(rule_files())
