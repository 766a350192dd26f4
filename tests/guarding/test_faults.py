"""Every kind of fault in `faults.py` is stopped before the run: 20 seeds each, none reaches the target."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from prepcheck.errors import CheckFailed
from prepcheck.guarding.finding import GuardReport
from prepcheck.guarding.proxies import guard
from tests.guarding.faults import FAULTS

RUNS = 20


def _run(guarded: Any, call: dict[str, Any]) -> None:
    rest = dict(call)
    frame = rest.pop("frame", None)
    if frame is not None:
        guarded.frame(frame)
    guarded.inference(**rest)


def test_there_are_at_least_25_kinds() -> None:
    assert len(FAULTS) >= 25


@pytest.mark.parametrize("name", FAULTS)
def test_stopped_before_the_run(name: str) -> None:
    for seed in range(RUNS):
        case = FAULTS[name](np.random.default_rng([seed, len(name)]))
        target = case.target()
        guarded: Any = guard(target, case.contract)
        for call in case.good:
            _run(guarded, call)
        assert target.runs == len(case.good)
        with pytest.raises(CheckFailed) as caught:
            _run(guarded, case.bad)
        assert target.runs == len(case.good), f"seed {seed}: the faulty call ran"
        report = caught.value.report
        assert isinstance(report, GuardReport)
        first = report.findings[0]
        assert first.rule in case.rules, f"seed {seed}: {first}"
        assert first.severity == "error"
        assert first.message
        assert first.explanation
        assert first.fix
        assert "{" not in str(first), f"a place of the text was not filled: {first}"


def test_a_size_error_shows_both_numbers_and_the_arithmetic() -> None:
    case = FAULTS["batch"](np.random.default_rng(0))
    wanted = case.contract["inputs"][0]["shape"][0]
    with pytest.raises(CheckFailed) as caught:
        _run(guard(case.target(), case.contract), case.bad)
    one = 48 * 64 * 3
    text = str(caught.value)
    assert f"{one:,} bytes given, {one * wanted:,} wanted" in text
    assert f"{one * wanted:,} / {one:,} = {wanted}" in text


def test_the_finding_is_data_too() -> None:
    case = FAULTS["padded_rows"](np.random.default_rng(0))
    with pytest.raises(CheckFailed) as caught:
        _run(guard(case.target(), case.contract), case.bad)
    report = caught.value.report
    assert isinstance(report, GuardReport)
    found = report.findings[0].as_dict()
    assert found["category"] == "stride"
    assert found["fault"] == "row_stride"
    assert isinstance(found["evidence"], dict)
    assert found["evidence"]["padding"] == 16
