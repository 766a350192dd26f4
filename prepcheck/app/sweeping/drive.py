"""Hand units to an executor, a few at a time; what kills a worker is found out sample by sample and does not stop the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait

from prepcheck.app.sweeping.executors import Opener, is_death
from prepcheck.app.sweeping.job import Job, Plain
from prepcheck.app.sweeping.samples import Sample
from prepcheck.app.sweeping.unit import run_unit, stat_of

Work = tuple[int, list[tuple[int, Sample]]]
"""Number of a unit, and its samples with their indices."""


def drive(job: Job, work: Iterable[Work], opener: Opener, ahead: int) -> Iterator[Plain]:
    """The results of units in the order in which they are done. ahead: units that are handed over at a time."""
    left = iter(work)
    again: list[Work] = []
    while True:
        lost: list[Work] = []
        with opener() as executor:
            yield from _until_broken(job, left, executor, ahead, lost)
        if not lost:
            break
        again += lost
    for unit in again:
        yield _carefully(job, unit, opener)


def _until_broken(job: Job, left: Iterator[Work], executor: Executor, ahead: int, lost: list[Work]) -> Iterator[Plain]:
    """Results until all is done, or until workers have died: `lost` then holds the units that had not come back."""
    waiting: dict[Future[Plain], Work] = {}
    try:
        while True:
            while len(waiting) < ahead and not lost:
                unit = next(left, None)
                if unit is None:
                    break
                try:
                    waiting[executor.submit(run_unit, job, unit[0], unit[1])] = unit
                except Exception as error:
                    if not is_death(error):
                        raise
                    lost.append(unit)
            if not waiting:
                return
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                unit = waiting.pop(future)
                problem = future.exception()
                if problem is None:
                    yield future.result()
                elif is_death(problem):
                    lost.append(unit)
                else:
                    raise problem
    finally:
        for future in waiting:
            future.cancel()


def _carefully(job: Job, unit: Work, opener: Opener) -> Plain:
    """A unit during which a worker died: whole once more (another unit may have been to blame), then sample by sample."""
    number, samples = unit
    whole = _alone(job, number, samples, opener)
    if whole is not None:
        return whole
    parts: list[Plain] = []
    for index, sample in samples:
        part = _alone(job, number, [(index, sample)], opener)
        parts.append(part if part is not None else _died(number, index, sample))
    return joined(number, parts)


def _alone(job: Job, number: int, samples: Sequence[tuple[int, Sample]], opener: Opener) -> Plain | None:
    lost: list[Work] = []
    with opener() as executor:
        for result in _until_broken(job, iter([(number, list(samples))]), executor, 1, lost):
            return result
    return None


def _died(number: int, index: int, sample: Sample) -> Plain:
    message = f"{sample.name}: the process that read it died (out of memory, or a fault of the decoder)"
    record: Plain = {"i": index, "stat": [stat_of(p) for _, p in sample.files], "error": ["image", message]}
    return {"unit": number, "ways": [], "samples": [record], "histograms": {}}


def joined(number: int, parts: Sequence[Plain]) -> Plain:
    """Results of parts of a unit as one."""
    ways: list[object] = []
    records: list[object] = []
    sums: dict[str, list[list[int]]] = {}
    for part in parts:
        own, given, counts = part["ways"], part["samples"], part["histograms"]
        assert isinstance(own, list)
        assert isinstance(given, list)
        assert isinstance(counts, dict)
        records += [{**r, "way": r["way"] + len(ways)} if "way" in r else r for r in given]
        ways += own
        for key, rows in counts.items():
            known = sums.get(key)
            sums[key] = (
                rows
                if known is None
                else [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(known, rows, strict=True)]
            )
    return {"unit": number, "ways": ways, "samples": records, "histograms": sums}


Progress = Callable[[int], None]
"""Told how many samples are done more."""
