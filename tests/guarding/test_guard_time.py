"""Guards over time: answers that stay or change, values that drift, statistics, threads."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from prepcheck.errors import CheckFailed
from prepcheck.guarding.finding import GuardReport
from prepcheck.guarding.guard import Guard
from prepcheck.guarding.policy import GuardWarning
from tests.guarding.contracts import answer, mnn, picture, rknn

GOOD = picture(np.random.default_rng(0))[None]


def rules(error: CheckFailed) -> list[str]:
    assert isinstance(error.report, GuardReport)
    return [f.rule for f in error.report.findings]


def feed(call: Callable[[Any], Any], arrays: list[Any]) -> None:
    """Call with one array after the other."""
    for array in arrays:
        call(array)


def infer_with(net: Callable[[Any], Any], **options: Any) -> Callable[[Any], Any]:
    return Guard(rknn(), **options).wrap("x")(lambda x: net(x))


def test_first_run_against_second() -> None:
    """The seed's symptom: the same picture answered differently."""
    runs = iter(range(100))
    infer = infer_with(lambda x: [np.array([[0.1, 0.9]]) if next(runs) == 0 else np.array([[0.7, 0.3]])])
    infer(GOOD)
    with pytest.raises(CheckFailed) as caught:
        infer(GOOD)
    assert rules(caught.value) == ["GD030"]
    assert "first run used old memory" in str(caught.value)


def test_a_network_with_memory_may_answer_differently() -> None:
    runs = iter(range(100))
    infer = infer_with(lambda x: [np.array([[float(next(runs)), 1.0]])], stateful=True)
    for _ in range(10):
        infer(GOOD)


def test_a_change_outside_the_sample_is_no_repetition() -> None:
    """Inputs are compared byte by byte before an answer is called unstable."""
    other = GOOD.copy()
    other[0, 0, 0, 0] ^= 1
    infer = infer_with(lambda x: [answer(x) * (2 if x[0, 0, 0, 0] == other[0, 0, 0, 0] else 1)], every=1)
    for array in (GOOD, other, GOOD, other):
        infer(array)


def test_stuck_rich_answers_are_named_with_their_count() -> None:
    rng, fixed = np.random.default_rng(5), [np.linspace(0.1, 0.8, 32, dtype=np.float32)[None]]
    infer = infer_with(lambda x: fixed)
    with pytest.raises(CheckFailed) as caught:
        feed(infer, [picture(rng)[None] for _ in range(10)])
    assert rules(caught.value) == ["GD031"]
    assert "32 distinct values" in str(caught.value)


def test_stuck_needs_all_of_the_answer() -> None:
    """Large outputs are sampled first; a difference outside the sample counts as a different answer."""
    rng = np.random.default_rng(6)
    base = rng.random((1, 500, 100)).astype(np.float32)

    def net(x: Any) -> Any:
        found = base.copy()
        found[0, 0, 0] = float(x.mean())
        return [found]

    infer = infer_with(net)
    for _ in range(30):
        infer(picture(rng)[None])


def test_the_unit_of_the_values_may_not_change_on_the_way() -> None:
    rng = np.random.default_rng(7)
    checked = Guard(mnn((1, 48, 64, 3), "NHWC"), every=1)
    for _ in range(5):
        checked.check(picture(rng)[None].astype(np.float32))
    with pytest.raises(CheckFailed) as caught:
        feed(checked.check, [(picture(rng)[None] / 255.0).astype(np.float32) for _ in range(5)])
    assert rules(caught.value) == ["GD032"]
    assert "1/255" in str(caught.value)


def test_values_that_calibration_never_saw() -> None:
    rng = np.random.default_rng(8)
    checked = Guard(rknn(value_range=(0.0, 90.0), scale=90 / 255), every=1)
    bright = (200 + rng.integers(0, 56, (1, 48, 64, 3))).astype(np.uint8)
    with pytest.warns(GuardWarning, match=r"GD033.*100 % of the elements"):
        feed(checked.check, [bright] * 20)


# -- statistics, threads, growth ------------------------------------------------------------------------------------


def test_statistics_cover_every_element_in_sixteen_calls() -> None:
    checked = Guard(rknn(), every=1)
    for _ in range(16):
        checked.check(GOOD)
    found: Any = checked.stats()
    json.dumps(found)
    numbers = found["inputs"]["inputs[0] (images)"]
    assert numbers["covered"] == 1.0
    assert numbers["min"] == GOOD.min()
    assert numbers["max"] == GOOD.max()
    assert numbers["mean"] == pytest.approx(GOOD.mean(), abs=1e-3)
    assert numbers["std"] == pytest.approx(GOOD.std(), abs=1e-3)


@pytest.mark.parametrize("shape", [(1, 48, 64, 3), (1, 7, 9, 3), (2, 5, 4, 1)])
def test_the_parts_are_a_partition(shape: tuple[int, ...]) -> None:
    from prepcheck.guarding.stats import PARTS, part_of

    array = np.arange(np.prod(shape)).reshape(shape)
    seen = np.concatenate([part_of(array, k).ravel() for k in range(PARTS)])
    assert np.array_equal(np.sort(seen), array.ravel())


def test_statistics_come_every_so_often() -> None:
    checked = Guard(rknn(), every=10)
    for _ in range(30):
        checked.check(GOOD)
    found: Any = checked.stats()
    assert found["calls"] == 30
    assert found["inputs"]["inputs[0] (images)"]["calls"] == 6


def test_eight_threads_with_exceptions_inside() -> None:
    """Each thread has its own stream; faults of one are not seen in another; counters add up."""
    rng = np.random.default_rng(9)
    pictures = [[picture(rng)[None] for _ in range(6)] for _ in range(8)]
    checked = Guard(rknn(), every=2)
    failures: list[str] = []

    @checked.wrap("x")
    def infer(x: Any, explode: bool) -> Any:
        if explode:
            raise KeyError("inside")
        return [answer(x)]

    def work(mine: list[Any]) -> None:
        for k in range(200):
            try:
                infer(mine[k % 6], k % 7 == 3)
                if k % 7 == 3:
                    failures.append("the exception was swallowed")
            except KeyError:
                pass
            except CheckFailed as error:
                failures.append(str(error))
            if k % 50 == 49:
                try:
                    infer(mine[0][0], False)
                    failures.append("a fault was let through")
                except CheckFailed:
                    pass

    threads = [threading.Thread(target=work, args=(mine,)) for mine in pictures]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[:2]
    found: Any = checked.stats()
    assert found["calls"] == 8 * 204
    assert found["raised_inside"] == 8 * sum(k % 7 == 3 for k in range(200))
    assert found["findings"]["error"] == {"GD003": 8 * 4}
