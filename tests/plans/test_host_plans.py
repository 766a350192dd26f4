"""Right plans give no warning and no error; one fault put into them is named, and nothing else is called an error."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.plans.host_mutations
import tests.plans.host_value_mutations  # noqa: F401  both register their faults
from prepcheck.app.validate import rules_for
from prepcheck.contract.loading import plan_from_text
from prepcheck.contract.report import Finding
from prepcheck.engine.merging import merge
from prepcheck.engine.reporting import to_finding
from prepcheck.engine.running import run
from prepcheck.facts.world import make_world
from tests.plans.host_mutating import Change, every, mutated
from tests.plans.host_random import Body, plan


def judged(body: Body) -> list[Finding]:
    """The errors and warnings that all rules give of a plan, merged."""
    read = plan_from_text(json.dumps({"prepcheck": "plan/v1", **body}), "drawn.json")
    world = make_world(contract=None, plan=read, declared=True)
    found = merge(run(rules_for(world), world).found)
    return [to_finding(f) for f in found if f.severity != "info"]


@settings(max_examples=250)
@given(st.integers(0, 2**32))
def test_right_plans_are_quiet(seed: int) -> None:
    body = plan(Random(seed))
    assert [f"{f.rule}: {f.message}" for f in judged(body)] == [], json.dumps(body)


@pytest.mark.slow
@settings(max_examples=3000)
@given(st.integers(0, 2**32))
def test_three_thousand_right_plans_are_quiet(seed: int) -> None:
    body = plan(Random(seed))
    assert [f"{f.rule}: {f.message}" for f in judged(body)] == [], json.dumps(body)


def test_there_are_enough_faults() -> None:
    assert len(every()) >= 40


@pytest.mark.parametrize("name,entry", every(), ids=[name for name, _ in every()])
def test_fault_is_named(name: str, entry: tuple[Change, tuple[str, ...]]) -> None:
    change, rules = entry
    for seed in range(4):
        body = mutated(Random(f"{name} {seed}"), change)
        assert body is not None, f"no plan drawn can carry {name}"
        found = judged(body)
        assert found, f"nothing found: {json.dumps(body)}"
        named = [found[0].rule, *found[0].evidence.get("also", [])]
        assert set(rules) & set(named), f"{[(f.rule, f.message) for f in found]}: {json.dumps(body)}"
        others = [f"{f.rule}: {f.message}" for f in found[1:] if f.severity == "error"]
        assert others == [], json.dumps(body)
