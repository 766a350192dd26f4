"""Hand units to an executor, a few at a time; what kills a worker is found out sample by sample and does not stop the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait

from prepcheck.app.sweeping.executors import Opener, is_death
from prepcheck.app.sweeping.job import Job
from prepcheck.app.sweeping.records import FailedSample, Judged, SampleRecord, UnitResult, added
from prepcheck.app.sweeping.samples import Sample
from prepcheck.app.sweeping.unit import run_unit, stat_of

Work = tuple[int, list[tuple[int, Sample]]]
"""Number of a unit, and its samples with their indices."""


def drive(job: Job, work: Iterable[Work], opener: Opener, ahead: int) -> Iterator[UnitResult]:
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


def _until_broken(
    job: Job, left: Iterator[Work], executor: Executor, ahead: int, lost: list[Work]
) -> Iterator[UnitResult]:
    """Results until all is done, or until workers have died: `lost` then holds the units that had not come back."""
    waiting: dict[Future[UnitResult], Work] = {}
    try:
        while True:
            while len(waiting) < ahead and not lost:
                unit = next(left, None)
                if unit is None:
                    break
                try:
                    waiting[executor.submit(run_unit, job, unit[0], unit[1])] = unit
                except BrokenExecutor:  # workers died over what they were given before; the unit is done again
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


def _carefully(job: Job, unit: Work, opener: Opener) -> UnitResult:
    """A unit during which a worker died: whole once more (another unit may have been to blame), then sample by sample."""
    number, samples = unit
    whole = _alone(job, number, samples, opener)
    if whole is not None:
        return whole
    parts: list[UnitResult] = []
    for index, sample in samples:
        part = _alone(job, number, [(index, sample)], opener)
        parts.append(part if part is not None else _died(number, index, sample))
    return joined(number, parts)


def _alone(job: Job, number: int, samples: Sequence[tuple[int, Sample]], opener: Opener) -> UnitResult | None:
    lost: list[Work] = []
    with opener() as executor:
        for result in _until_broken(job, iter([(number, list(samples))]), executor, 1, lost):
            return result
    return None


def _died(number: int, index: int, sample: Sample) -> UnitResult:
    message = f"{sample.name}: the process that read it died (out of memory, or a fault of the decoder)"
    record: FailedSample = {"i": index, "stat": [stat_of(p) for _, p in sample.files], "error": ["image", message]}
    return {"unit": number, "ways": [], "samples": [record], "histograms": {}}


def joined(number: int, parts: Sequence[UnitResult]) -> UnitResult:
    """Results of parts of a unit as one."""
    ways: list[Judged] = []
    records: list[SampleRecord] = []
    sums: dict[str, list[list[int]]] = {}
    for part in parts:
        for record in part["samples"]:
            if "way" in record:
                record = {**record, "way": record["way"] + len(ways)}
            records.append(record)
        ways += part["ways"]
        for key, rows in part["histograms"].items():
            known = sums.get(key)
            sums[key] = rows if known is None else added(known, rows)
    return {"unit": number, "ways": ways, "samples": records, "histograms": sums}
