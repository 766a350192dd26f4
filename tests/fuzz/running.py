"""Runs targets: each in a process of its own, a number of inputs or a share of the time."""

from __future__ import annotations

import gc
import multiprocessing
import os
import queue
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from pathlib import Path
from random import Random

import tests.fuzz.whole  # noqa: F401  registers its targets
from tests.fuzz import oracle
from tests.fuzz.targets import TARGETS, Target

MAX_FAULTS = 10
"""Faults of one target after which it stops."""
SCRATCH = "/dev/shm" if os.path.isdir("/dev/shm") else None


@dataclass
class Outcome:
    """What one target's run gave. slowest: (CPU seconds, index). faults: (index, what), one for each kind."""

    name: str
    runs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, 0)
    mib: float = 0.0
    faults: list[tuple[int, str]] = field(default_factory=list)


def input_of(target: Target, seed: int, index: int) -> bytes:
    """The `index`-th input of a seed: always the same bytes."""
    return target.make(Random(f"{seed}:{target.name}:{index}"))


def fuzz(name: str, seconds: float, seed: int, start: int = 0) -> Outcome:
    """Run one target for about so many seconds of this process."""
    target = TARGETS[name]()
    found = Outcome(name)
    seen: set[str] = set()
    with tempfile.TemporaryDirectory(dir=SCRATCH) as scratch:
        folder = Path(scratch)
        for index in range(20):  # imports and caches are paid before memory and time count
            _quietly(target, input_of(target, seed + 1, index), folder)
        gc.collect()
        end = time.monotonic() + seconds
        index = start
        while time.monotonic() < end and len(found.faults) < MAX_FAULTS:
            data = input_of(target, seed, index)
            try:
                outcome, spent, grown = oracle.judge(lambda d: target.run(d, folder), data, target.runs)
                found.outcomes[outcome] += 1
                found.slowest = max(found.slowest, (spent, index))
                found.mib = max(found.mib, grown)
            except oracle.Fault as fault:
                kind = "".join(c for c in str(fault) if not c.isdigit())[:60]
                if kind not in seen:
                    seen.add(kind)
                    found.faults.append((index, str(fault)))
            found.runs += 1
            index += 1
    return found


def _quietly(target: Target, data: bytes, folder: Path) -> None:
    try:
        oracle.judge(lambda d: target.run(d, folder), data, target.runs)
    except oracle.Fault:
        return


def _worker(name: str, seconds: float, seed: int, answers: Queue[Outcome]) -> None:
    answers.put(fuzz(name, seconds, seed))


def all_targets(names: list[str], seconds: float, seed: int, jobs: int) -> list[Outcome]:
    """Each target in a process of its own, `jobs` at once; `seconds` is for all of them together (wall clock)."""
    context = multiprocessing.get_context("spawn")
    answers: Queue[Outcome] = context.Queue()
    share = max(0.5, seconds * jobs / len(names) - 2.0)  # 2 s: start of the process and its seeds
    waiting, found = list(names), list[Outcome]()
    running: dict[str, multiprocessing.context.SpawnProcess] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            name = waiting.pop(0)
            process = context.Process(target=_worker, args=(name, share, seed, answers))
            process.start()
            running[name] = process
        try:
            outcome = answers.get(timeout=1.0)
            running.pop(outcome.name).join()
            found.append(outcome)
            show(outcome, seed)
        except queue.Empty:  # nothing yet: has one of them died?
            for name, process in list(running.items()):
                if process.exitcode not in (None, 0):
                    dead = Outcome(name, faults=[(-1, f"the process ended with exit code {process.exitcode}")])
                    found.append(dead)
                    running.pop(name)
                    show(dead, seed)
    return found


def show(found: Outcome, seed: int) -> None:
    """One line, and one for each fault with the command that makes it again."""
    most = ", ".join(f"{k} {v}" for k, v in found.outcomes.most_common(4))
    print(
        f"{found.name:14} {found.runs:7} inputs, slowest {found.slowest[0] * 1000:5.0f} ms, {found.mib:4.0f} MiB; {most}",
        flush=True,
    )
    for index, what in found.faults:
        print(
            f"  FAULT python -m tests.fuzz --target {found.name} --seed {seed} --index {index}\n    {what!r}",
            flush=True,
        )


def again(name: str, seed: int, index: int, keep: str | None) -> int:
    """One input once more, with its traceback; `keep` writes it to a file."""
    target = TARGETS[name]()
    data = input_of(target, seed, index)
    if keep:
        Path(keep).write_bytes(data)
    print(f"{len(data)} bytes: {data[:400]!r}")
    with tempfile.TemporaryDirectory(dir=SCRATCH) as scratch:
        outcome, spent, _ = oracle.judge(lambda d: target.run(d, Path(scratch)), data, target.runs)
    print(f"{outcome}, {spent * 1000:.0f} ms")
    return 0


def total(found: list[Outcome]) -> Mapping[str, float]:
    """The figures of the last line."""
    return {
        "inputs": sum(o.runs for o in found),
        "faults": sum(len(o.faults) for o in found),
        "slowest": max(o.slowest[0] for o in found),
        "mib": max(o.mib for o in found),
    }
