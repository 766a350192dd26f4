"""A small stratified run of the benchmark: the product against the answerer who enumerates the stated prior."""

from __future__ import annotations

from functools import cache
from statistics import fmean
from typing import Any

import pytest

from prepcheck.evidence.sizes import explain_size
from prepcheck.evidence.sizes.texts import TEXTS
from tests.bench.size_optimum import Draw, draws
from tests.bench.size_things import Row
from tests.bench.size_told import posterior
from tests.bench.sizes import facts_of, ranked, stratified

LEVELS = [
    frozenset(),
    frozenset({"shape"}),
    frozenset({"dtype", "layout"}),
    frozenset({"shape", "dtype", "layout", "runtime", "platform"}),
]


@cache
def rows() -> list[tuple[Row, list[Draw]]]:
    """One row of every kind of fault and pair of faults."""
    return [(row, draws(row.got, row.want)) for row in stratified(seed=5, each=1)]


def test_the_run_holds_every_kind() -> None:
    kinds = {row.label[0] for row, _ in rows()}
    assert len(kinds) >= 28
    assert {
        "dtype",
        "batch",
        "nc4hw4",
        "row_stride",
        "frame",
        "axis_short",
        "none",
        "encoded",
        "struct",
        "header",
    } <= kinds


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: "+".join(sorted(level)) or "nothing")
def test_probabilities_are_those_of_the_prior(level: frozenset[str]) -> None:
    """Every reading has the probability that enumeration gives it, and none is missing."""
    gaps = []
    for row, found in rows():
        best = posterior(found, row, level)
        answer = explain_size(row.got, row.want, **facts_of(row, level))
        if any("set aside" in r.text() or "do without" in r.text() for r in answer.remarks):
            continue  # a pair without a known cause and with a shape of its own: other facts were asked
        mine = ranked(answer)
        assert not [label for label in best if label not in mine], row
        gaps.append(max(abs(float(best.get(label, 0.0)) - mine.get(label, 0.0)) for label in {*best, *mine}))
    assert fmean(gaps) < 0.005
    assert max(gaps) < 0.05


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: "+".join(sorted(level)) or "nothing")
def test_first_answers_are_as_good_as_can_be(level: frozenset[str]) -> None:
    """Expected score of the first answer, and of the first three, against the best possible."""
    mine_first = mine_three = best_first = best_three = 0.0
    for row, found in rows():
        best = posterior(found, row, level)
        names = list(ranked(explain_size(row.got, row.want, **facts_of(row, level))))
        order = sorted(best.values(), reverse=True)
        mine_first += best.get(names[0], 0.0)
        mine_three += sum(best.get(name, 0.0) for name in names[:3])
        best_first += order[0]
        best_three += sum(order[:3])
    assert mine_first >= 0.98 * best_first
    assert mine_three >= 0.98 * best_three


def test_every_text_is_used_and_has_its_places() -> None:
    """The rows of the run, and the questions that no draw asks, use every text; a place without a value raises."""
    seen: set[str] = set()
    questions: list[tuple[int, int, dict[str, Any]]] = [
        (row.got, row.want, facts_of(row, ("shape",))) for row, _ in rows()
    ]
    questions += [(row.got, row.want, {}) for row, _ in rows()]
    questions += [
        (32400, 3240000, {}),
        (32400, 3240000, {"runtime": "mnn"}),
        (384, 384, {"shape": (1, 32, 4, 3), "dtype": "int8"}),
        (3133440, 3110400, {"shape": (1080, 1920), "layout": "HW"}),
        (2457600, 1228800, {"shape": (1, 3, 320, 320), "dtype": "float32"}),
    ]
    for got, want, facts in questions:
        for reading in explain_size(got, want, **facts).readings:
            assert reading.text() and reading.fix_text()
            seen |= {part.message for part in reading.parts}
    unused = {name for name, text in TEXTS.items() if text.message not in seen}
    assert unused <= {"other_input"}, unused  # asked with a contract, in test_explain
