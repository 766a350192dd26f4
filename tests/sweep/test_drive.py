"""What goes wrong on the way of a unit: a bug comes out as it is, a death costs nothing but its own sample."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from prepcheck.app.sweeping import drive as module
from prepcheck.app.sweeping.drive import Work, drive
from prepcheck.app.sweeping.executors import Here, here
from prepcheck.app.sweeping.job import Job, job_of
from prepcheck.app.sweeping.samples import Sample
from prepcheck.app.worlds import Request, prepare
from tests.sweep.pictures import SMALL, folder


@pytest.fixture(scope="module")
def job() -> Job:
    return job_of(prepare(Request(model=SMALL)).world, library="opencv", language="en")


@pytest.fixture
def work(tmp_path: Path) -> list[Work]:
    """Two units of two pictures."""
    names = sorted(str(p) for p in folder(tmp_path, 4).iterdir())
    samples = [(i, Sample(((None, name),))) for i, name in enumerate(names)]
    return [(0, samples[:2]), (1, samples[2:])]


def test_a_bug_in_a_unit_comes_out_as_it_is(job: Job, work: list[Work], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(module, "run_unit", broken)
    with pytest.raises(ZeroDivisionError, match="a bug"):
        list(drive(job, work, here, 1))


class Refusing(Here):
    """Takes the first unit; then each further one raises, until it is opened anew."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.taken = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.taken += 1
        if self.taken > 1:
            raise self.error
        return super().submit(fn, *args, **kwargs)


def test_a_pool_that_broke_before_is_opened_anew(job: Job, work: list[Work]) -> None:
    opened: list[Refusing] = []

    @contextmanager
    def opener() -> Iterator[Executor]:
        opened.append(Refusing(BrokenProcessPool("died")))
        yield opened[-1]

    results = list(drive(job, work, opener, 2))
    assert len(opened) == 3  # the one that broke, one for what is left, one for the lost unit alone
    assert sorted(r["unit"] for r in results) == [0, 1]
    assert all("looks" in record for r in results for record in r["samples"])


def test_another_refusal_is_no_death(job: Job, work: list[Work]) -> None:
    @contextmanager
    def opener() -> Iterator[Executor]:
        yield Refusing(RuntimeError("cannot schedule new futures after shutdown"))

    with pytest.raises(RuntimeError, match="cannot schedule"):
        list(drive(job, work, opener, 2))
