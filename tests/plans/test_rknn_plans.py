"""Random right RKNN plans have no error; one mistake in such a plan is named, and nothing else is."""

from __future__ import annotations

import pytest

from tests.plans.generate import judged
from tests.plans.mutate import fault
from tests.plans.rknn_mutations import MUTATIONS, Mutation, mutated
from tests.plans.rknn_random import KINDS, right_plan


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_right_plans_have_no_error(kind: str) -> None:
    for seed in range(40):
        report = judged(right_plan(seed, kind))
        loud = [f"{f.rule}: {f.message}" for f in report.findings if f.severity != "info"]
        assert not loud, f"{kind} {seed}: {loud}"


def test_there_are_enough_mistakes() -> None:
    assert len(MUTATIONS) >= 40
    assert len({m.name for m in MUTATIONS}) == len(MUTATIONS)


@pytest.mark.parametrize("wanted", MUTATIONS, ids=lambda m: m.name)
def test_a_mistake_is_named(wanted: Mutation) -> None:
    found = list(mutated(wanted, 2))
    assert found, "no right plan has a place for it"
    for where, body in found:
        assert fault(wanted, judged(body)) is None, f"{where}: {fault(wanted, judged(body))}"
