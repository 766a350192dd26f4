"""Streams that look like faults and are none go through without a word. The default run is short; a million frames:
`python -m tests.bench.guard_streams`."""

from __future__ import annotations

import warnings
from itertools import islice

import numpy as np
import pytest

from prepcheck.guarding.finding import GuardFinding
from prepcheck.guarding.guard import Guard
from tests.guarding.streams import STREAMS, Net

FRAMES = 700


def run_stream(name: str, frames: int, seed: int, every: int = 4) -> list[GuardFinding]:
    """The findings that a stream gives, frames told and not told alternately in runs of 50."""
    stream, contract = STREAMS[name]
    rng = np.random.default_rng([seed, len(name)])
    found: list[GuardFinding] = []
    guard = Guard(contract, on_fail=found.append, every=every)
    for number, (frame, array, outputs) in enumerate(islice(stream(rng, Net(rng)), frames)):
        guard.check(array, frame=frame if number // 50 % 2 == 0 else None)
        guard.answered([array], outputs)
    return found


@pytest.mark.parametrize("name", STREAMS)
def test_no_complaint(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = run_stream(name, FRAMES, seed=1)
    assert not found, f"{len(found)} complaints, first: {found[0]}"


def test_the_runner_would_see_a_fault() -> None:
    """The same runner on a stream whose answers are stuck: the streams' silence means something."""
    rng = np.random.default_rng(0)
    found: list[GuardFinding] = []
    guard = Guard(STREAMS["moving"][1], on_fail=found.append)
    stuck = Net(rng).rich(np.zeros((1, 24, 32, 3)) + 77)
    for _, array, _ in islice(STREAMS["moving"][0](rng, Net(rng)), 20):
        guard.check(array)
        guard.answered([array], stuck)
    assert {f.rule for f in found} == {"GD031"}


def test_a_frame_is_compared_with_the_frame_of_the_call_before() -> None:
    """Told, not told, told: the last two arrays are equal, and no frame is known for the first of them."""
    rng = np.random.default_rng(0)
    first, second = (next(STREAMS["moving"][0](np.random.default_rng(k), Net(rng)))[1] for k in range(2))
    guard = Guard(STREAMS["moving"][1])
    guard.check(first, frame=first[0])
    guard.check(second)
    assert guard.check(second, frame=second[0]) == ()
