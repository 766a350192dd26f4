"""How often the diagnosis is right on what the benchmark does not hold: contracts, pictures and parameters of `wild`.

python -m tests.forensics.wild_bench [--seed 1] [--singles 400] [--pairs 200] [--correct 400] [--outside 100] [--wrong]
"""

from __future__ import annotations

import argparse
import random
import time
from multiprocessing import Pool
from typing import Any

import numpy as np

from prepcheck.forensics import diagnose
from tests.forensics import legal, wild
from tests.forensics.bench import COLOUR_FAULTS, Result, Task, _close, report
from tests.forensics.build import Fault, build, elements, laid_out
from tests.forensics.catalogue import NAMES, PAIRS
from tests.forensics.contracts import CONTRACTS, OTHER, Contract
from tests.forensics.judge import expected_for, run

EVERY = (*OTHER, *CONTRACTS)


def one(job: tuple[str, int]) -> tuple[Result, str] | None:
    """A run of its own seed: (result, what was done in words); None where the picture does not show the fault."""
    kind, seed = job
    rng = random.Random(seed)
    contract = OTHER[seed % len(OTHER)] if seed % 3 else rng.choice(EVERY)
    if contract.spec.nbytes > 4_000_000 and seed % 8:
        contract = OTHER[0]  # the large one is slow: now and then only
    image, previous = wild.picture(rng), wild.picture(rng)
    if kind == "outside":
        return _outside(contract, image, rng, seed)
    if kind == "correct":
        return _correct(contract, image, rng, seed)
    for _ in range(60):
        names = [rng.choice(NAMES)] if kind == "single" else rng.choice(PAIRS).split("+")
        if contract.spec.channels == 1 and set(names) & COLOUR_FAULTS:
            continue
        drawn = [wild.draw(n, contract, image, rng) for n in names]
        chain = [f for f in drawn if f is not None]
        if len(chain) == len(names):
            break
    else:
        return None
    if not _shows(image, previous, contract, chain, seed):
        return None
    given = names[0] == "stale_buffer"
    got = run(image, contract, chain, previous=previous, given=given, seed=seed)
    said = "+".join(f.name for f in got.diagnosis.faults) or got.diagnosis.verdict
    task = Task(kind, 0, f"{image.shape[1]}x{image.shape[0]}", "+".join(names), seed=seed)
    words = f"{contract.name} {task.picture} {chain} -> {[(f.name, f.evidence) for f in got.diagnosis.faults] or said}"
    return Result(task, said, got.right, got.parameters, got.seconds), words


def _shows(image: Any, previous: Any, contract: Contract, chain: list[Fault], seed: int) -> bool:
    data = build(image, contract, chain, previous=previous, seed=seed)
    subsets = [[]] + ([[chain[1]], [chain[0]]] if len(chain) > 1 else [])
    return not any(_close(build(image, contract, s, previous=previous, seed=seed), data, contract) for s in subsets)


def _correct(contract: Contract, image: Any, rng: random.Random, seed: int) -> tuple[Result, str]:
    how = rng.choice(legal.NAMES)
    if contract.spec.color == "GRAY" and how == "zoo-cpu":
        how = "pillow"
    expected = expected_for(image, contract)
    data = legal.buffer(image, contract, how, np.random.default_rng(seed))
    start = time.process_time()
    found = diagnose(expected, data)
    seconds = time.process_time() - start
    said = "+".join(f.name for f in found.faults) or found.verdict
    right = said in ("ok", "cannot_tell", "wrong_interpolation")
    task = Task("correct", 0, "", how, seed=seed)
    words = f"{contract.name} {image.shape[1]}x{image.shape[0]} {how} -> {said} {found.difference}"
    return Result(task, said, right, right, seconds), words


def _outside(contract: Contract, image: Any, rng: random.Random, seed: int) -> tuple[Result, str] | None:
    if contract.spec.channels != 3:
        contract = OTHER[0]
    expected = expected_for(image, contract)
    spoilt = wild.outside(expected.pixels, rng)
    how = rng.choice(sorted(spoilt))
    if np.abs(spoilt[how].astype(int) - expected.pixels).mean() < 4:
        return None
    a = elements(spoilt[how], expected.spec, [])
    data = laid_out(a, expected.spec, [], np.random.default_rng(0)).tobytes() * expected.spec.batch
    start = time.process_time()
    found = diagnose(expected, data)
    seconds = time.process_time() - start
    said = "+".join(f.name for f in found.faults) or found.verdict
    right = said == "not_explained"
    task = Task("outside", 0, "", how, seed=seed)
    words = f"{contract.name} {image.shape[1]}x{image.shape[0]} {how} -> {said} {found.score} {found.difference}"
    return Result(task, said, right, right, seconds), words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    for name, default in (
        ("seed", 1),
        ("singles", 400),
        ("pairs", 200),
        ("correct", 400),
        ("outside", 100),
        ("jobs", 2),
    ):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seconds", type=float, help="stop after so long")
    parser.add_argument("--wrong", action="store_true", help="print every run that went wrong as it happens")
    parser.add_argument("--again", nargs="*", metavar="KIND:SEED", help="these runs only")
    options = parser.parse_args()
    first = options.seed * 100_000
    counts = {"single": options.singles, "pair": options.pairs, "correct": options.correct, "outside": options.outside}
    jobs = [(kind, first + n) for kind, count in counts.items() for n in range(count)]
    if options.again:
        jobs = [(k, int(n)) for k, _, n in (x.partition(":") for x in options.again)]
    results, skipped = [], 0
    started = time.monotonic()
    with Pool(options.jobs) as pool:
        for found in pool.imap_unordered(one, jobs, chunksize=2):
            if options.seconds and time.monotonic() - started > options.seconds:
                break
            if found is None:
                skipped += 1
                continue
            results.append(found[0])
            if options.again or (options.wrong and not (found[0].right and found[0].parameters)):
                mark = "WRONG" if not found[0].right else "parameters" if not found[0].parameters else "right"
                print(f"{mark} {found[0].task.kind}:{found[0].task.seed} {found[1]}", flush=True)
    print("\n".join(report(sorted(results, key=lambda r: repr(r.task)), options.seed, skipped)))


if __name__ == "__main__":
    main()
