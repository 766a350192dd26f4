"""The benchmark: how often the diagnosis is right, on photos that packages ship.

    python -m tests.forensics.bench [--seed 1] [--singles N] [--pairs 600] [--correct 3000] [--jobs 2] [--keep FILE]

Needs scikit-image and scikit-learn for their photos. Every fault x contract x picture once (a parameter value drawn by
the seed), then pairs, what lies outside the vocabulary, pictures that cannot show a fault, and correct buffers by other
implementations. Prints the seed, the rates and the confusion table.
"""

from __future__ import annotations

import argparse
import random
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import Pool
from typing import Any

import numpy as np

from prepcheck.forensics import diagnose
from tests.forensics import legal
from tests.forensics.build import Fault, build, elements, laid_out
from tests.forensics.catalogue import NAMES, PAIRS, outside, singles
from tests.forensics.contracts import CONTRACTS, Contract
from tests.forensics.judge import expected_for, run
from tests.forensics.photos import card, gray_photos, photos

COLOUR_FAULTS = frozenset({"channels_swapped", "gray_replicated", "uv_swapped", "yuv_range", "yuv_matrix"})
LEAST_CHANGE = 1.0  # mean pixel steps below which a fault does not show on a picture


@dataclass(frozen=True)
class Task:
    kind: str  # single, pair, outside, correct, hidden
    contract: int
    picture: str
    name: str
    faults: tuple[tuple[tuple[str, Any], ...], ...] = ()
    previous: str = ""
    seed: int = 0


@dataclass(frozen=True)
class Result:
    task: Task
    said: str
    right: bool
    parameters: bool
    seconds: float


@lru_cache(maxsize=1)
def pictures() -> dict[str, Any]:
    return {**photos(), "test card": card(), **gray_photos()}


def _frozen(faults: list[Fault]) -> tuple[tuple[tuple[str, Any], ...], ...]:
    return tuple(tuple(f.items()) for f in faults)


def tasks(seed: int, most_singles: int, pairs: int, correct: int) -> list[Task]:
    rng = random.Random(seed)
    every = pictures()
    gray = set(gray_photos())
    names = [n for n in every if n not in gray]
    out: list[Task] = []
    for i, contract in enumerate(CONTRACTS):
        for picture, image in every.items():
            for name in NAMES:
                if picture in gray and name in COLOUR_FAULTS:
                    continue
                options = singles(name, contract, image)
                if options:
                    out.append(
                        Task(
                            "single",
                            i,
                            picture,
                            name,
                            _frozen([rng.choice(options)]),
                            rng.choice(names),
                            rng.randrange(999),
                        )
                    )
    rng.shuffle(out)
    if most_singles:
        out = _stratified(out, most_singles)
    made: list[Task] = []
    while len(made) < pairs:
        pair, i, picture = PAIRS[len(made) % len(PAIRS)], rng.randrange(len(CONTRACTS)), rng.choice(names)
        for i in rng.sample(range(len(CONTRACTS)), len(CONTRACTS)):
            both = [singles(n, CONTRACTS[i], every[picture]) for n in pair.split("+")]
            if all(both):
                made.append(
                    Task(
                        "pair",
                        i,
                        picture,
                        pair,
                        _frozen([rng.choice(b) for b in both]),
                        rng.choice(names),
                        rng.randrange(999),
                    )
                )
                break
        else:
            made.append(Task("none", 0, picture, pair))
    out += [t for t in made if t.kind == "pair"]
    for picture in names:
        for name in outside(np.zeros((64, 64, 3), np.uint8)):
            out.append(Task("outside", rng.choice((1, 2)), picture, name))
    whole = [
        Task("correct", i, p, how, seed=rng.randrange(999))
        for i in range(len(CONTRACTS))
        for p in every
        for how in legal.NAMES
    ]
    out += [rng.choice(whole) for _ in range(correct)] if correct > len(whole) else rng.sample(whole, correct)
    for i in range(len(CONTRACTS)):
        for name in HIDDEN:
            out.append(Task("hidden", i, name, name))
    return out


def _stratified(found: list[Task], most: int) -> list[Task]:
    """Every fault and contract in turn, as many as asked for."""
    groups: dict[tuple[str, int], list[Task]] = defaultdict(list)
    for task in found:
        groups[task.name, task.contract].append(task)
    out: list[Task] = []
    while len(out) < most and any(groups.values()):
        for group in groups.values():
            if group:
                out.append(group.pop())
    return out[:most]


def _gray_ramp() -> Any:
    ramp = np.linspace(20, 230, 400)[None, :] * np.linspace(0.5, 1, 300)[:, None]
    return np.repeat(ramp[..., None], 3, axis=2).astype(np.uint8)


def _mirror() -> Any:
    half = card()[:, :320]
    return np.concatenate([half, half[:, ::-1]], axis=1)


HIDDEN = {
    "gray, channels swapped": (_gray_ramp, [{"name": "channels_swapped"}]),
    "mirrored, flipped": (_mirror, [{"name": "flipped_horizontal"}]),
    "one gray, flipped": (lambda: np.full((300, 400, 3), 90, np.uint8), [{"name": "flipped_vertical"}]),
    "gray, gray": (_gray_ramp, [{"name": "gray_replicated", "from": "average"}]),
    "one gray, shifted": (
        lambda: np.full((300, 400, 3), 90, np.uint8),
        [{"name": "shifted", "dx": 4, "dy": 2, "border": "wrap"}],
    ),
}
"""Pictures that cannot show the fault done to them: whatever is said, it must not be a name (only where the bars of a letterbox do not show it)."""


def shows(task: Task) -> bool:
    """Whether the faults change the buffer by more than correct implementations differ among themselves."""
    every, contract = pictures(), CONTRACTS[task.contract]
    image = every[task.picture]
    chain = [dict(f) for f in task.faults]
    previous = every[task.previous] if task.previous else None
    data = build(image, contract, chain, previous=previous, seed=task.seed)
    good = build(image, contract, [])
    for skip in range(len(chain)) if len(chain) > 1 else []:
        rest = [f for k, f in enumerate(chain) if k != skip]
        if _close(build(image, contract, rest, previous=previous, seed=task.seed), data, contract):
            return False
    return not _close(good, data, contract)


def _close(a: bytes, b: bytes, contract: Contract) -> bool:
    if len(a) != len(b):
        return False
    kind = {"float32": "<f4", "float16": "<f2"}.get(contract.spec.dtype, contract.spec.dtype)
    x, y = (np.nan_to_num(np.frombuffer(v, kind).astype(np.float64), posinf=1e6, neginf=-1e6) for v in (a, b))
    span = float(np.ptp(x)) or 1.0
    return float(np.minimum(np.abs(x - y) / span * 255, 255).mean()) < LEAST_CHANGE


def work(task: Task) -> Result | None:
    every, contract = pictures(), CONTRACTS[task.contract]
    if task.kind in ("single", "pair"):
        if not shows(task):
            return None
        previous = every[task.previous]
        chain = [dict(f) for f in task.faults]
        got = run(
            every[task.picture], contract, chain, previous=previous, given=task.name == "stale_buffer", seed=task.seed
        )
        said = "+".join(f.name for f in got.diagnosis.faults) or got.diagnosis.verdict
        return Result(task, said, got.right, got.parameters, got.seconds)
    if task.kind == "hidden":
        make, chain = HIDDEN[task.name]
        image = make()
        expected, data = expected_for(image, contract), build(image, contract, [dict(f) for f in chain])
        if not _close(build(image, contract, []), data, contract):
            return None  # the bars of a letterbox show it
        named = chain[0]["name"]
    elif task.kind == "outside":
        image = every[task.picture]
        expected = expected_for(image, contract)
        spoilt = outside(expected.pixels)[task.name]
        data = laid_out(elements(spoilt, expected.spec, []), expected.spec, [], np.random.default_rng(0)).tobytes()
    else:
        image = every[task.picture]
        expected, data = (
            expected_for(image, contract),
            legal.buffer(image, contract, task.name, np.random.default_rng(task.seed)),
        )
    start = time.process_time()
    found = diagnose(expected, data)
    seconds = time.process_time() - start
    said = "+".join(f.name for f in found.faults) or found.verdict
    right = {
        "outside": said == "not_explained",
        "correct": said in ("ok", "cannot_tell", "wrong_interpolation"),
        "hidden": found.verdict in ("ok", "cannot_tell") and (task.kind != "hidden" or named in found.cannot_show),
    }[task.kind]
    return Result(task, said, right, right, seconds)


def report(results: list[Result], seed: int, skipped: int) -> Iterator[str]:
    yield f"seed {seed}; {len(results)} runs; {skipped} skipped because the picture does not show the fault"
    for kind in ("single", "pair", "outside", "correct", "hidden"):
        some = [r for r in results if r.task.kind == kind]
        if not some:
            continue
        right, parameters = sum(r.right for r in some), sum(r.parameters for r in some)
        seconds = sorted(r.seconds for r in some)
        line = f"{kind:8} {right}/{len(some)} right ({100 * right / len(some):.2f} %)"
        if kind in ("single", "pair"):
            line += f"; parameters {parameters}/{right} ({100 * parameters / max(1, right):.2f} %)"
        yield (
            line
            + f"; CPU {np.mean(seconds):.2f} s mean, {seconds[int(len(seconds) * 0.95)]:.2f} s at 95 %, {seconds[-1]:.2f} s most"
        )
    yield ""
    yield "what was done | right | what was said instead"
    table: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for r in results:
        table[r.task.kind, r.task.name].append(r)
    for (kind, name), some in sorted(table.items()):
        wrong = Counter(r.said for r in some if not r.right)
        yield f"{kind}: {name} | {sum(r.right for r in some)}/{len(some)} | " + ", ".join(
            f"{k} {v}" for k, v in wrong.most_common(4)
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--singles", type=int, default=0, help="0: every fault x contract x picture")
    parser.add_argument("--pairs", type=int, default=600)
    parser.add_argument("--correct", type=int, default=3000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="file for the report")
    parser.add_argument("--wrong", action="store_true", help="print every run that went wrong as it happens")
    options = parser.parse_args()
    if not photos():
        raise SystemExit("scikit-image and scikit-learn are not installed: no photos to test with")
    everything = tasks(options.seed, options.singles, options.pairs, options.correct)
    everything.sort(key=lambda t: zlib.crc32(repr(t).encode()))  # long and short ones mixed
    results: list[Result] = []
    skipped = 0
    with Pool(options.jobs) as pool:
        for found in pool.imap_unordered(work, everything, chunksize=4):
            if found is None:
                skipped += 1
                continue
            results.append(found)
            if options.wrong and not found.right:
                print("wrong:", found.task.kind, CONTRACTS[found.task.contract].name, found.task.picture, found.task.name,
                      [dict(f) for f in found.task.faults], found.task.previous, "->", found.said, flush=True)  # fmt: skip
    text = "\n".join(report(sorted(results, key=lambda r: repr(r.task)), options.seed, skipped)) + "\n"
    print(text)
    if options.keep:
        with open(options.keep, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
