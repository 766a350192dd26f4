"""Right RGA plans give no error; one fault in a right plan gives the finding that names it, and no other error."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.plans.rga_mutations_flow  # noqa: F401  registers its half
from tests.plans.rga_mutations import MUTATIONS, Mutation
from tests.plans.rga_random import Body, bound_plans, judged, loud, rga_plans


@settings(max_examples=60)
@given(st.one_of(rga_plans(), rga_plans(), bound_plans()))
def test_right_plans(plan: Body) -> None:
    assert loud(plan) == []


@pytest.mark.slow
@settings(max_examples=3000)
@given(st.one_of(rga_plans(), rga_plans(), rga_plans(), bound_plans()))
def test_many_right_plans(plan: Body) -> None:
    assert loud(plan) == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: f"{m.rule}: {m.name}")
def test_mutation(mutation: Mutation) -> None:
    @settings(max_examples=4)
    @given(st.data())
    def run(data: st.DataObject) -> None:
        good, bad = mutation.make(data.draw)
        assert loud(good) == [], "the plan before the fault is not right"
        report = judged(bad)
        found = [f for f in report.findings if f.severity != "info"]
        said = [f"{f.rule} {f.severity} {f.where}: {f.message}" for f in found]
        assert found and found[0].rule == mutation.rule, said
        assert found[0].severity == mutation.severity, said
        assert not [f for f in found[1:] if f.severity == "error"], said

    run()


def test_mutations_are_many() -> None:
    assert len(MUTATIONS) >= 40
    assert len({m.rule for m in MUTATIONS}) >= 30
