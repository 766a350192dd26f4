"""Measure the size explanation: `python -m tests.bench.sizes [--rows N] [--seed S] [--quick]`.

Rows are drawn from the stated prior by `size_rows`; `size_optimum` computes by enumeration what the best possible
answerer, who knows that prior, would say. For every level of knowledge are printed: the share of rows whose cause is
named first, and among the first three, by the product and by the optimum, and their ratio; whether all readings that
the optimum finds are listed; the calibration error of the first answer. Then the same on inputs of named public models
(sizes that the prior does not know one by one), the pairs of public reports, and times. With SIZES_JITTER=0.7 in the
environment the rows are drawn from a prior whose weights are changed by a factor of about 2, unknown to the product.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from prepcheck.evidence.sizes import SizeExplanation, explain_size  # noqa: E402
from tests.bench.size_optimum import draws  # noqa: E402
from tests.bench.size_rows import Sampler  # noqa: E402
from tests.bench.size_things import Row, Tensor  # noqa: E402
from tests.bench.size_told import posterior  # noqa: E402

TOLD = ("shape", "dtype", "layout")
LEVELS = [frozenset(told) for n in range(len(TOLD) + 1) for told in itertools.combinations(TOLD, n)]
LEVELS.append(frozenset((*TOLD, "runtime", "platform")))
CASES = ROOT / "tests" / "evidence" / "sizes" / "cases.json"

MODELS = [
    (640, 640, 3), (320, 320, 3), (416, 416, 3), (1280, 1280, 3), (224, 224, 3), (299, 299, 3), (240, 240, 3), (331, 331, 3),
    (513, 513, 3), (257, 257, 3), (192, 192, 3), (256, 256, 3), (256, 192, 3), (384, 288, 3), (368, 432, 3), (112, 112, 3),
    (112, 96, 3), (160, 160, 3), (120, 90, 3), (48, 168, 3), (24, 94, 3), (48, 320, 3), (32, 100, 1), (736, 736, 3),
    (480, 480, 3), (352, 352, 3), (720, 1280, 3), (480, 640, 3), (384, 1280, 3), (288, 800, 3), (590, 1640, 3), (512, 1024, 3),
    (127, 127, 3), (255, 255, 3), (518, 518, 3), (1024, 1024, 3), (336, 336, 3), (28, 28, 1), (64, 64, 3), (62, 62, 3), (80, 80, 3),
    (96, 96, 1), (150, 150, 1), (108, 100, 3), (400, 800, 3), (56, 56, 1), (49, 40, 1), (98, 64, 1), (300, 300, 3), (540, 960, 3),
]  # fmt: skip
"""Inputs (height, width, channels) of public models: YOLO, SSD, EfficientNet, NASNet, DeepLab, PoseNet, BlazeFace, MoveNet,
OpenPose, ArcFace, MobileFaceNet, LPRNet, CRNN, PP-OCR, NanoDet, PIDNet, lane detection, SiamFC, DINOv2, SAM, CLIP, LeNet,
keyword spotting, and inputs of public reports."""


class ModelSampler(Sampler):
    """The same faults on the inputs of named models, which the prior knows in part only."""

    def tensor(self, families: tuple[str, ...]) -> Tensor:
        """An image of the list; other tensors as in the prior."""
        tensor = super().tensor(families)
        if tensor.family not in ("square", "rect", "any"):
            return tensor
        h, w, c = self.rng.choice(MODELS)
        return Tensor("any", c, h, w, (h, w, c))


@dataclass
class Score:
    """Counts of one level of knowledge."""

    rows: int = 0
    first: int = 0
    three: int = 0
    best_first: int = 0
    best_three: int = 0
    unlisted: int = 0
    stated: list[tuple[float, bool]] = field(default_factory=list)
    expected_first: float = 0.0
    expected_best: float = 0.0


def facts_of(row: Row, what: Iterable[str]) -> dict[str, Any]:
    """What is told of a row, as arguments of explain_size."""
    told = {name: getattr(row, name) for name in what if getattr(row, name) is not None}
    if row.shape is None:  # an inner tensor: its layout is not told either
        told.pop("layout", None)
    return told


def ranked(answer: SizeExplanation) -> dict[tuple[Any, ...], float]:
    """Labels of the product's answer with their probabilities, "none of these" among them, most probable first."""
    found: dict[tuple[Any, ...], float] = {(r.kind, *r.key): r.probability for r in answer.readings}
    found[("none",)] = answer.none_probability
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def calibration_error(stated: list[tuple[float, bool]], bins: int = 10) -> float:
    """Expected calibration error over equal-width bins of the stated probability of the first answer."""
    total = 0.0
    for at in range(bins):
        inside = [(p, right) for p, right in stated if min(int(p * bins), bins - 1) == at]
        if inside:
            gap = statistics.fmean(p for p, _ in inside) - statistics.fmean(right for _, right in inside)
            total += abs(gap) * len(inside) / len(stated)
    return total


def measure(rows: list[Row], levels: list[frozenset[str]]) -> dict[frozenset[str], Score]:
    """Ask every row at every level, product and optimum."""
    scores = {level: Score() for level in levels}
    for row in rows:
        found = draws(row.got, row.want)
        for level in levels:
            score = scores[level]
            best = posterior(found, row, level)
            mine = ranked(explain_size(row.got, row.want, **facts_of(row, level)))
            order = sorted(best, key=lambda label: -best[label])
            names = list(mine)
            score.rows += 1
            score.first += names[0] == row.label
            score.three += row.label in names[:3]
            score.best_first += order[0] == row.label
            score.best_three += row.label in order[:3]
            score.unlisted += any(label not in mine for label in best)
            score.stated.append((mine[names[0]], names[0] == row.label))
            score.expected_first += float(best.get(names[0], 0.0))
            score.expected_best += float(best[order[0]])
    return scores


def report(title: str, scores: dict[frozenset[str], Score]) -> bool:
    """Print one table; whether all levels pass."""
    print(f"\n{title}")
    print(
        f"{'told':32} {'rows':>5} {'first':>7} {'optimum':>8} {'ratio':>7} {'three':>7} {'optimum':>8} {'ratio':>7} {'unlisted':>8} {'ECE':>6}"
    )
    passed = True
    for level, s in scores.items():
        first, three = s.first / max(s.best_first, 1), s.three / max(s.best_three, 1)
        error = calibration_error(s.stated)
        name = "+".join(part for part in (*TOLD, "runtime", "platform") if part in level) or "nothing"
        print(
            f"{name:32} {s.rows:5} {s.first / s.rows:7.3f} {s.best_first / s.rows:8.3f} {first:7.4f} {s.three / s.rows:7.3f}"
            f" {s.best_three / s.rows:8.3f} {three:7.4f} {s.unlisted:8} {error:6.3f}"
        )
        passed &= first >= 0.98 and three >= 0.98 and error <= 0.05 and not s.unlisted
    return passed


def expected(scores: dict[frozenset[str], Score]) -> float:
    """Smallest ratio of the expected score of the product's first answer to that of the optimum's (no sampling noise)."""
    return min(s.expected_first / s.expected_best for s in scores.values())


def stratified(seed: int, each: int) -> list[Row]:
    """`each` rows of every kind of label, whatever its share."""
    sampler, kinds = Sampler(seed), {}
    for _ in range(200000):
        row = sampler.row()
        rows = kinds.setdefault(row.label[0], [])
        if len(rows) < each:
            rows.append(row)
        if len(kinds) >= 30 and all(len(rows) == each for rows in kinds.values()):
            break
    return [row for _, rows in sorted(kinds.items()) for row in rows]


def reports() -> bool:
    """The pairs of public reports."""
    pairs = json.loads(CASES.read_text(encoding="utf-8"))["pairs"]
    counts = {True: [0, 0, 0], False: [0, 0, 0]}
    for pair in pairs:
        names = list(ranked(explain_size(pair["got"], pair["want"], **pair["facts"])))
        label = (pair["kind"], *pair["key"])
        count = counts[pair["derived"]]
        count[0] += 1
        count[1] += names[0] == label
        count[2] += label in names[:3]
        if names[0] != label:
            print(
                f"  not first: {pair['source']}: {label} is at {names.index(label) + 1 if label in names else '-'}, first {names[0]}"
            )
    for derived, (total, first, three) in counts.items():
        print(
            f"public reports, {'one count derived' if derived else 'both counts printed'}: first {first}/{total}, first three {three}/{total}"
        )
    total, first, three = (sum(count[at] for count in counts.values()) for at in range(3))
    return first >= 0.9 * total and three == total


def times(rows: list[Row]) -> bool:
    """Processor time of a question in this process and in a fresh one (the clock's time too; it depends on who else runs)."""
    rng = random.Random(7)
    hard = [(2**a * 3**b * 5**c * 7, 2**d * 3**e * 5**f * 11) for a, b, c, d, e, f in (
        [rng.randint(4, 14), rng.randint(0, 5), rng.randint(0, 4), rng.randint(4, 14), rng.randint(0, 5), rng.randint(0, 4)] for _ in range(300)
    )]  # fmt: skip
    hard += [
        (2**62, 2**61),
        (2**63 - 1, 2**62),
        (2**40 * 3**10, 2**38 * 3**10),
        (720720 * 5040, 720720 * 1260),
        (1, 2**63 - 1),
    ]
    passed = True
    for name, pairs in (("drawn rows", [(row.got, row.want) for row in rows]), ("numbers with many divisors", hard)):
        taken = []
        for got, want in pairs:
            start, clock = time.process_time(), time.perf_counter()
            explain_size(got, want)
            taken.append((time.process_time() - start, time.perf_counter() - clock))
        taken.sort()
        half, most, worst = taken[len(taken) // 2], taken[int(0.99 * len(taken))], taken[-1]
        said = ", ".join(
            f"{what} {1e3 * cpu:.1f} ms ({1e3 * wall:.1f})"
            for what, (cpu, wall) in (("median", half), ("99 %", most), ("worst", worst))
        )
        print(f"{name}, processor time (clock): {said}")
        passed &= worst[0] < 0.05
    passed &= fresh((32400, 3240000), (1228800, 4915200), (3110400, 3237888), (6220800, 1228800))
    return passed


FRESH = """
import time, click
began = time.process_time()
from prepcheck.evidence.sizes import explain_size
imported = time.process_time()
explain_size({got}, {want})
print(imported - began, time.process_time() - imported)
"""


def fresh(*pairs: tuple[int, int]) -> bool:
    """Questions in processes of their own: what they take beyond the start-up of the command line (with compiled files)."""
    passed = True
    with tempfile.TemporaryDirectory() as folder:
        known = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        for got, want in pairs:
            argv = [sys.executable, "-c", FRESH.format(got=got, want=want)]
            tries = []
            for _ in range(4):
                done = subprocess.run(
                    argv,
                    capture_output=True,
                    text=True,
                    check=True,
                    cwd=ROOT,
                    env={**known, "PYTHONPYCACHEPREFIX": folder},
                )
                tries.append([1e3 * float(part) for part in done.stdout.split()])
            imported, asked = min(tries, key=sum)
            print(
                f"fresh process, {got} against {want}: import {imported:.1f} ms, question {asked:.1f} ms (processor time)"
            )
            passed &= imported + asked < 50
    return passed


def main() -> int:
    """Run everything; exit status 0 only if all bounds hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=20240607)
    parser.add_argument("--quick", action="store_true", help="200 rows")
    args = parser.parse_args()
    count = 200 if args.quick else args.rows
    sampler = Sampler(args.seed)
    rows = [sampler.row() for _ in range(count)]
    scores = measure(rows, LEVELS)
    passed = report(f"Drawn from the stated prior, {count} rows, seed {args.seed}", scores)
    print(f"expected score of the first answer against the optimum's, smallest over the levels: {expected(scores):.4f}")
    named = ModelSampler(args.seed + 1)
    others = measure([named.row() for _ in range(max(count // 5, 50))], [LEVELS[0], LEVELS[-2]])
    report("Inputs of named models (the optimum knows the stated prior, not the list)", others)
    passed &= reports()
    passed &= times(rows[:500])
    print("all bounds hold" if passed else "a bound does not hold")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
