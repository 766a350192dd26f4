"""A fact that was seen on some runtime versions only is an error there and a warning, with the version, elsewhere."""

from __future__ import annotations

import copy
import json

import pytest

from prepcheck.engine.loading import load, rule_files
from prepcheck.engine.reporting import to_finding
from prepcheck.registry import RULES
from tests.rules.harness import Case, cases, judge

load()
GUARDED = sorted(key for key in rule_files() if key in RULES and RULES[key].versions and key[:2] != "MN")
SWEPT = ("1.5.2", "2.3.2", None)


def failing(rule: str) -> list[Case]:
    """The failing plan cases of a rule."""
    return [c for c in cases() if c.rule == rule and c.body["expect"] == "fail" and "plan" in c.body]


def test_there_are_guarded_rules() -> None:
    assert len(GUARDED) >= 5


@pytest.mark.parametrize("version", SWEPT, ids=str)
@pytest.mark.parametrize("rule", GUARDED)
def test_sweep(rule: str, version: str | None) -> None:
    found = failing(rule)
    assert found, f"{rule} has no failing plan"
    for case in found:
        body = copy.deepcopy(case.body)
        body["plan"]["version"] = version
        loud = [f for f in judge(Case(rule, case.path, body)).found if f.severity != "info"]
        assert loud, f"{case.path.name}: nothing found with version {version}"
        finding = to_finding(loud[0])
        if RULES[rule].severity == "error" and loud[0].finding.severity is None:
            assert finding.severity == ("error" if version in RULES[rule].versions else "warning")
        if finding.severity == "warning":
            assert all(v in finding.explanation for v in RULES[rule].versions)
            assert (version or "not stated") in finding.explanation


def test_what_rests_on_one_version_is_guarded() -> None:
    """Own sources (ids of lists aside) that are only measurements of one runtime version need `versions`."""
    bare = []
    for key in (k for k in rule_files() if k[:2] in ("RK", "MM")):
        rule = RULES[key]
        own = [s for s in rule.sources if " " in s or "/" in s]
        measured = own and all(
            s.startswith(("measured: librknnrt 1.5.2 under", "measured: librknnrt 1.5.2,")) for s in own
        )
        if measured and rule.severity == "error" and not rule.versions and "_log_" not in rule.module:
            bare.append(key)
    assert not bare, json.dumps(bare)
