"""`sweep`: a model against a whole set of samples, in parallel, continued where it was interrupted, one report at the end."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from prepcheck.app.sweeping import executors
from prepcheck.app.sweeping.drive import drive
from prepcheck.app.sweeping.gather import Gathered
from prepcheck.app.sweeping.job import Job, job_of
from prepcheck.app.sweeping.journal import Journal
from prepcheck.app.sweeping.journal import read as read_journal
from prepcheck.app.sweeping.records import UnitResult
from prepcheck.app.sweeping.report import Told, sweep_report
from prepcheck.app.sweeping.samples import Found, choose, find, units
from prepcheck.app.validate import chosen, rules_for
from prepcheck.app.version import VERSION
from prepcheck.app.worlds import Prepared, Request, prepare
from prepcheck.contract.report import Report
from prepcheck.engine.reporting import english
from prepcheck.engine.running import run
from prepcheck.errors import EmptyFileError, ImageError, NotFoundError, PrepcheckError, ReadError, UsageError
from prepcheck.facts.sample_set import SampleSet
from prepcheck.facts.world import World

UNIT = 16
"""Samples of one unit of work: large enough that handing it over costs nothing, small enough to lose. A choice."""
AHEAD = 3
"""Units that wait for each worker. A choice."""
_ERRORS: dict[str, type[PrepcheckError]] = {"not_found": NotFoundError, "image": ImageError, "empty": EmptyFileError}


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """What is to be swept. calibration: None = by what the path is. journal: a file that remembers finished units."""

    model: str | os.PathLike[str]
    paths: Sequence[str]
    plan: str | os.PathLike[str] | None = None
    jobs: int | None = None
    limit: int | None = None
    sample: int | None = None
    seed: int = 0
    calibration: bool | None = None
    journal: str | None = None
    resume: bool = False
    dask: str | None = None
    allow_outside: bool = False
    max_pixels: int = 64_000_000
    language: str = "en"
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()


@dataclass(slots=True)
class Watcher:
    """Told how a sweep goes. begin: (samples in all, samples known from the journal); done: samples more."""

    begin: Callable[[int, int], None] = field(default=lambda total, known: None)
    done: Callable[[int], None] = field(default=lambda count: None)


@dataclass(slots=True)
class Swept:
    """A finished sweep. finish: called when the report is safely written; the journal is then removed."""

    report: Report
    gathered: Gathered
    finish: Callable[[], None]


def sweep(request: SweepRequest, *, translate: Callable[[str], str] = english, watcher: Watcher | None = None) -> Swept:
    """Judge every sample. Raises PrepcheckError where nothing can be judged; KeyboardInterrupt leaves the journal."""
    watcher = watcher or Watcher()
    prepared = prepare(Request(model=request.model, plan=request.plan, allow_outside=request.allow_outside))
    contract = prepared.world.contract
    if contract is None or not contract.inputs:
        raise UsageError("a sweep needs a model with inputs")
    found = find(request.paths, contract)
    picked = choose(found.samples, limit=request.limit, sample=request.sample, seed=request.seed)
    job = job_of(
        prepared.world,
        library=prepared.resize_library,
        language=request.language,
        select=tuple(request.select),
        ignore=tuple(request.ignore),
        max_pixels=request.max_pixels,
    )
    gathered = Gathered(found.samples, picked, len(contract.inputs))
    chunks = list(units(picked, UNIT))
    head = _head(request, job, prepared.world, found, picked)
    known: dict[int, UnitResult] = {}
    journal: Journal | None = None
    if request.journal is not None:
        before = read_journal(request.journal, head, chunks, found.samples) if request.resume else None
        known = before or {}
        journal = Journal(request.journal, head, keep=before is not None)
    watcher.begin(len(picked), sum(gathered.add(known[n]) for n in sorted(known)))
    try:
        for result in _results(request, job, found, chunks, known):
            if journal is not None:
                journal.add(result)
            watcher.done(gathered.add(result))
    except BaseException:  # an interruption too: what is done stays for --resume; what was raised goes on
        if journal is not None:
            journal.close(remove=False)
        raise
    report = report_on(request, prepared, found, gathered, translate)

    def finish() -> None:
        if journal is not None:
            journal.close(remove=True)

    return Swept(report, gathered, finish)


def _results(
    request: SweepRequest, job: Job, found: Found, chunks: list[tuple[int, ...]], known: dict[int, UnitResult]
) -> Iterator[UnitResult]:
    work = ((n, [(i, found.samples[i]) for i in chunk]) for n, chunk in enumerate(chunks) if n not in known)
    left = len(chunks) - len(known)
    if not left:
        return
    if request.dask is not None:
        yield from drive(job, work, executors.dask(request.dask), 64)
        return
    jobs = min(request.jobs or executors.usable_cores(), left)
    opener = executors.here if jobs <= 1 else executors.processes(jobs)
    yield from drive(job, work, opener, 1 if jobs <= 1 else jobs * AHEAD)


def _head(request: SweepRequest, job: Job, world: World, found: Found, picked: Sequence[int]) -> dict[str, object]:
    """What makes a sweep this one: a journal with another head is that of another sweep."""
    names = hashlib.blake2b(digest_size=16)
    for index in picked:
        names.update(found.samples[index].name.encode("utf-8", "surrogateescape") + b"\0")
    return {
        "version": VERSION,
        "unit": UNIT,
        "model and plan": _digest(request, job, world),
        "samples": names.hexdigest(),
        "options": [list(request.select), list(request.ignore), request.max_pixels, request.language],
    }


def _digest(request: SweepRequest, job: Job, world: World) -> str:
    """Of the model's bytes, and of the plan as it was read: given, ready-made or found beside the model."""
    digest = hashlib.blake2b(digest_size=16)
    if os.path.isfile(request.model):
        digest.update(Path(request.model).read_bytes())
    if world.declared and world.plan is not None:
        digest.update(world.plan.model_dump_json(by_alias=True).encode())
    digest.update(job.library.encode())
    return digest.hexdigest()


def _calibrates(path: str) -> bool:
    """Whether a list is one to calibrate with, by its name: dataset.txt in every example of the toolkit."""
    name = os.path.basename(path).lower()
    return any(word in name for word in ("dataset", "calib", "quant"))


def report_on(
    request: SweepRequest,
    prepared: Prepared,
    found: Found,
    gathered: Gathered,
    translate: Callable[[str], str],
) -> Report:
    """The report of what was gathered. Raises the first sample's error where none could be read."""
    errors = gathered.errors
    if errors and len(errors) == len(gathered.chosen):
        kind = _ERRORS.get(errors[0][1], ReadError)
        raise kind(f"none of the {len(errors)} samples could be read; the first: {errors[0][2]}")
    if not gathered.chosen and not found.problems:
        raise EmptyFileError(f"{', '.join(request.paths)}: no sample was chosen")
    world = prepared.world
    runtime = world.runtime
    calibration = request.calibration
    if calibration is None:
        calibration = found.kind == "list" and runtime == "rknn" and all(_calibrates(p) for p in request.paths)
    sample_set = SampleSet(
        path=", ".join(request.paths),
        samples=len(gathered.chosen),
        calibration=calibration,
        complete=len(gathered.chosen) == len(found.samples),
        problems=tuple(found.problems),
        inputs=tuple(gathered.input_sets()),
    )
    base = run(chosen(rules_for(world), request.select, request.ignore), world)
    whole = replace(world, extra={**world.extra, "sample_set": (sample_set,)}, cache={}, memo={})
    told = Told(
        model=prepared.subject.model, plan=prepared.subject.plan, paths=tuple(request.paths), kind=found.kind,
        found=len(found.samples), passed_over=found.passed_over, limit=request.limit, sample=request.sample,
        seed=request.seed if request.sample is not None else None,
    )  # fmt: skip
    return sweep_report(
        gathered, whole, base, sample_set, told, select=request.select, ignore=request.ignore, translate=translate
    )
