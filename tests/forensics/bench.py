"""The benchmark: how often the diagnosis is right, on photos that packages ship.

    python -m tests.forensics.bench [--seed 1] [--singles N] [--pairs 600] [--correct 3000] [--jobs 2] [--write | --ci]

Needs scikit-image and scikit-learn (the `bench` extra) for their photos. Every fault x contract x picture once (a
parameter value drawn by the seed), then pairs, bodies of BMP files, what lies outside the vocabulary, pictures that
cannot show a fault, and correct buffers by other implementations. Prints the seed, the rates and the confusion table;
--write keeps them in docs/forensics.md. --ci: a sample of 200; exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import io
import random
import signal
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

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
    kind: str  # single, pair, bmp, outside, correct, hidden
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
        out += [Task("bmp", i, picture, BMP) for i, c in enumerate(CONTRACTS) if _plain(c)]
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


BMP = "flipped_vertical+channels_swapped"
"""What the body of a BMP file (rows from the bottom up, blue first) is, copied as it stands."""


def _plain(contract: Contract) -> bool:
    s = contract.spec
    return (s.dtype, s.layout, s.batch, s.w_stride) == ("uint8", "NHWC", 1, None) and s.size[1] % 4 == 0


def _bmp_body(pixels: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "BMP")
    data = file.getvalue()
    return data[int.from_bytes(data[10:14], "little") :]


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


@lru_cache(maxsize=40)
def _good(picture: str, contract: int) -> bytes:
    return build(pictures()[picture], CONTRACTS[contract], [])


def shows(task: Task, data: bytes) -> bool:
    """Whether the faults change the buffer by more than correct implementations differ among themselves."""
    every, contract = pictures(), CONTRACTS[task.contract]
    image = every[task.picture]
    chain = [dict(f) for f in task.faults]
    previous = every[task.previous] if task.previous else None
    good = _good(task.picture, task.contract)
    for skip in range(len(chain)) if len(chain) > 1 else []:
        rest = [f for k, f in enumerate(chain) if k != skip]
        if _close(build(image, contract, rest, previous=previous, seed=task.seed), data, contract):
            return False
    return not _close(good, data, contract)


def _close(a: bytes, b: bytes, contract: Contract) -> bool:
    if len(a) != len(b):
        return False
    kind = {"float32": "<f4", "float16": "<f2"}.get(contract.spec.dtype, contract.spec.dtype)
    step = max(1, len(a) // 300_000) | 1
    x, y = (np.clip(np.nan_to_num(np.frombuffer(v, kind)[::step].astype(np.float64)), -1e6, 1e6) for v in (a, b))
    span = float(np.ptp(x)) or 1.0
    return float(np.minimum(np.abs(x - y) / span * 255, 255).mean()) < LEAST_CHANGE


def work(task: Task) -> Result | None:
    every, contract = pictures(), CONTRACTS[task.contract]
    if task.kind in ("single", "pair"):
        previous = every[task.previous]
        chain = [dict(f) for f in task.faults]
        data = build(every[task.picture], contract, chain, previous=previous, seed=task.seed)
        if not shows(task, data):
            return None
        given = task.name == "stale_buffer"
        got = run(every[task.picture], contract, chain, previous=previous, given=given, seed=task.seed, data=data)
        said = "+".join(f.name for f in got.diagnosis.faults) or got.diagnosis.verdict
        return Result(task, said, got.right, got.parameters, got.seconds)
    if task.kind == "hidden":
        make, chain = HIDDEN[task.name]
        image = make()
        expected, data = expected_for(image, contract), build(image, contract, [dict(f) for f in chain])
        if not _close(build(image, contract, []), data, contract):
            return None  # the bars of a letterbox show it
        named = chain[0]["name"]
    elif task.kind == "bmp":
        expected = expected_for(every[task.picture], contract)
        data = _bmp_body(expected.pixels)
        if _close(expected.pixels.tobytes(), data, contract):
            return None
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
        "bmp": said == BMP,
        "correct": said in ("ok", "cannot_tell", "wrong_interpolation"),
        "hidden": found.verdict in ("ok", "cannot_tell") and (task.kind != "hidden" or named in found.cannot_show),
    }[task.kind]
    return Result(task, said, right, right, seconds)


KINDS = ("single", "pair", "bmp", "outside", "correct", "hidden")
BARS = {"single": 0.98, "pair": 0.9, "bmp": 1.0, "outside": 0.95, "correct": 1.0, "hidden": 1.0}
PARAMETERS = 0.95


def missed(results: list[Result]) -> list[str]:
    """The bars that are missed, in words."""
    out = []
    for kind, bar in BARS.items():
        some = [r for r in results if r.task.kind == kind]
        right = sum(r.right for r in some)
        if some and right < bar * len(some):
            out.append(f"{kind}: {right} of {len(some)} right, {bar:.0%} wanted")
        if kind in ("single", "pair") and sum(r.parameters for r in some) < PARAMETERS * right:
            out.append(f"{kind}: parameters right in {sum(r.parameters for r in some)} of {right}")
    return out


def report(results: list[Result], seed: int, skipped: int) -> Iterator[str]:
    yield f"seed {seed}; {len(results)} runs; {skipped} skipped because the picture does not show the fault"
    for kind in KINDS:
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


def page(text: str, options: argparse.Namespace, count: int, planned: int) -> str:
    """docs/forensics.md: the command, the figures, the confusion table."""
    head, _, table = text.partition("\n\n")
    command = (
        f"python -m tests.forensics.bench --seed {options.seed} --pairs {options.pairs} --correct {options.correct}"
    )
    lines = [
        "# What a submitted buffer can tell: measured",
        "",
        f"Written by `{command} --write`: {count} of {planned} runs. Photos: those that scikit-image and scikit-learn ship",
        "(11 coloured, 5 gray) and the test card; contracts and faults: `tests/forensics/contracts.py`, `catalogue.py`.",
        "An explanation is right when its faults are those done, or when they re-create the bytes and are no more of them.",
        "",
        "```text",
        *head.splitlines(),
        "```",
        "",
        "| what was done | right | what was said instead |",
        "|---|---|---|",
        *(f"| {line} |" for line in table.splitlines()[1:]),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--singles", type=int, default=0, help="0: every fault x contract x picture")
    parser.add_argument("--pairs", type=int, default=600)
    parser.add_argument("--correct", type=int, default=3000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, help="stop after so long: what was run is a random sample")
    parser.add_argument("--keep", help="file for the report")
    parser.add_argument("--write", action="store_true", help="write docs/forensics.md")
    parser.add_argument("--ci", action="store_true", help="a sample of 200")
    parser.add_argument("--wrong", action="store_true", help="print every run that went wrong as it happens")
    options = parser.parse_args()
    if not photos():
        print(
            "skipped: scikit-image and scikit-learn are not installed (pip install '.[bench]'): no photos to test with"
        )
        raise SystemExit(0 if options.ci else 2)
    if options.ci:
        options.singles, options.pairs, options.correct, options.wrong = 110, 40, 30, True
    everything = tasks(options.seed, options.singles, options.pairs, options.correct)
    everything.sort(key=lambda t: zlib.crc32(repr(t).encode()))  # long and short ones mixed
    if options.ci:
        few = [t for t in everything if t.kind not in ("single", "pair", "correct")][:20]
        everything = [t for t in everything if t.kind in ("single", "pair", "correct")] + few
    results, skipped = _run(everything, options)
    text = "\n".join(report(sorted(results, key=lambda r: repr(r.task)), options.seed, skipped)) + "\n"
    print(text)
    if options.keep:
        Path(options.keep).write_text(text, encoding="utf-8")
    if options.write:
        whole = page(text, options, len(results), len(everything) - skipped)
        (Path(__file__).parents[2] / "docs" / "forensics.md").write_text(whole, encoding="utf-8")
    for line in missed(results):
        print("missed:", line)
    if options.ci and missed(results):
        raise SystemExit(1)


def _run(everything: list[Task], options: argparse.Namespace) -> tuple[list[Result], int]:
    """The results, and how many were skipped. An interrupt (Ctrl-C) ends it early with what there is."""
    results: list[Result] = []
    skipped = 0
    started = time.monotonic()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background too
    with Pool(options.jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            for found in pool.imap_unordered(work, everything, chunksize=4):
                if options.seconds and time.monotonic() - started > options.seconds:
                    break
                if found is None:
                    skipped += 1
                    continue
                results.append(found)
                if options.wrong and not (found.right and found.parameters):
                    print("wrong:" if not found.right else "parameters:", found.task.kind, CONTRACTS[found.task.contract].name,
                          found.task.picture, found.task.name, [dict(f) for f in found.task.faults], found.task.previous,
                          "->", found.said, flush=True)  # fmt: skip
        except KeyboardInterrupt:
            pass
    return results, skipped


if __name__ == "__main__":
    main()
