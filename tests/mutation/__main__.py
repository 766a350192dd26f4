"""`python -m tests.mutation`: draw mutants, run the tests that touch them, print how many die, write docs/mutation.md."""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

from tests.mutation import choosing, server
from tests.mutation.mutants import Mutant, sample, source_of
from tests.mutation.report import summary, write

ROOT = Path(__file__).resolve().parents[2]
TESTS = (
    "core",
    "wire",
    "readers",
    "contract",
    "rules",
    "plans",
    "pixels",
    "logs",
    "guarding",
    "native",
    "cli",
    "fuzz",
    "agreement",
)


def snapshot(work: Path) -> Path:
    """A copy of the tree, so that edits meanwhile do not matter."""
    tree = work / "tree"
    if tree.exists():
        shutil.rmtree(tree)
    tree.mkdir(parents=True)
    for name in ("prepcheck", "tests", "samples", "schemas", "tools"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"), symlinks=True)
    for name in ("pyproject.toml", "README.md", "README.zh-CN.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tree / name)
    return tree


def record(tree: Path, target: Path) -> None:
    """Run the tests once, in two processes, and note which lines each one touches."""
    folders = [f"tests/{t}" for t in TESTS if (tree / "tests" / t).is_dir()]
    command = [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", "-m", "not slow"]
    command += ["-p", "tests.mutation.recording", "-p", "no:randomly", "-p", "no:xdist"]
    children: list[tuple[Path, subprocess.Popen[bytes]]] = []
    for half in (folders[::2], folders[1::2]):
        part = target.with_suffix(f".{len(children)}.json")
        environment = {**os.environ, "MUTATION_MAP": str(part), "PYTHONPATH": str(tree)}
        children.append((part, subprocess.Popen([*command, *half], cwd=tree, env=environment)))
    lines: dict[str, dict[str, list[str]]] = {}
    seconds: dict[str, float] = {}
    for part, child in children:
        child.wait()
        found = json.loads(part.read_text(encoding="utf-8"))
        seconds |= found["seconds"]
        for file, touched in found["lines"].items():
            mine = lines.setdefault(file, {})
            for line, tests in touched.items():
                mine[line] = sorted({*mine.get(line, ()), *tests})
    target.write_text(json.dumps({"lines": lines, "seconds": seconds}), encoding="utf-8")


def main() -> int:
    """Parse, run, print. Exit code 1 where fewer than the wanted share die."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--count", type=int, default=650, help="mutants to draw (default 650)")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "mutation", help="where copies and results lie")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after that long; start again to go on")
    parser.add_argument("--part", default="1/1", help="2/3: every third mutant from the second on, for several at once")
    parser.add_argument("--again", action="store_true", help="new copy of the tree; judge the survivors once more")
    parser.add_argument("--at-least", type=float, default=0.85, help="share that has to die")
    parser.add_argument(
        "--control", type=int, default=0, help="run the tests of so many mutants on the unchanged modules"
    )
    options = parser.parse_args()
    work: Path = options.work
    work.mkdir(parents=True, exist_ok=True)
    part, parts = map(int, options.part.split("/"))
    results = work / f"results-{part}of{parts}.json"
    mine: dict[str, dict[str, object]] = json.loads(results.read_text()) if results.exists() else {}
    known: dict[str, dict[str, object]] = {}
    for path in sorted(work.glob("results-*.json")):
        known |= json.loads(path.read_text())
    tree, touched = work / "tree", work / "touched.json"
    if options.again or not touched.exists():
        drawn = _drawn(work)
        tree = snapshot(work)
        record(tree, touched)
        if options.again:
            for path in sorted(work.glob("results-*.json")):
                path.unlink()
            mine = known = {k: v for k, v in known.items() if v["outcome"] not in ("survived", "broken")}
            results.write_text(json.dumps(mine, indent=1, ensure_ascii=False))
            _keep_drawn(work, tree, drawn)
        if options.minutes < 1e9:
            return 0
    drawn = _drawn(work) or _draw(work, tree, options.count, options.seed)
    chooser = choosing.Chooser(tree, touched)
    server.warm(tree)
    if options.control:
        return control(tree, chooser, random.Random(options.seed).sample(drawn, min(options.control, len(drawn))))
    start = time.monotonic()
    for mutant in drawn[part - 1 :: parts]:
        if mutant.key in known and known[mutant.key]["outcome"] != "broken":
            continue
        if time.monotonic() - start > options.minutes * 60:
            break
        outcome, spent = judge(tree, chooser, mutant)
        known[mutant.key] = mine[mutant.key] = {**asdict(mutant), "outcome": outcome, "seconds": round(spent, 2)}
        results.write_text(json.dumps(mine, indent=1, ensure_ascii=False))
    left = len({m.key for m in drawn} - set(known))
    share = write(ROOT, known, options.seed) if not left else 0.0
    print(summary(known, options.seed), f"; {left} to do" if left else "", sep="")
    return int(not left and share < options.at_least)


def judge(tree: Path, chooser: choosing.Chooser, mutant: Mutant) -> tuple[str, float]:
    """What the tests that touch a mutant say: a few first, more where it lives."""
    first, rest = chooser.tests(mutant)
    if not first:
        return "survived", 0.0
    text = source_of(tree, mutant)
    total = 0.0
    outcome = "survived"
    for tests in (first, rest):
        if tests and outcome == "survived":
            limit = 20 + 4 * sum(chooser.seconds.get(t, 1.0) for t in tests)
            outcome, spent = server.judge(tree, mutant.file, text, tests, limit)
            total += spent
            if outcome != "survived" and not passes(tree, mutant.file, limit, *tests[:4]):
                return "broken", total
    return outcome, total


def control(tree: Path, chooser: choosing.Chooser, mutants: list[Mutant]) -> int:
    """How often the tests of a mutant let the unchanged module live: where they do not, its death means nothing."""
    lived = 0
    for mutant in mutants:
        unchanged = (tree / mutant.file).read_text(encoding="utf-8")
        first, rest = chooser.tests(mutant)
        outcomes = [server.judge(tree, mutant.file, unchanged, tests, 60)[0] for tests in (first, rest) if tests]
        if all(outcome == "survived" for outcome in outcomes):
            lived += 1
        else:
            print(f"{mutant.key}: {outcomes} without the change")
    print(f"control: {lived} of {len(mutants)} unchanged modules pass the tests that judge their mutants")
    return int(lived < len(mutants))


_PASSES: dict[str, bool] = {}


def passes(tree: Path, file: str, limit: float, *tests: str) -> bool:
    """Whether tests that killed the first mutant of a file let the unchanged file live: else no kill would mean anything."""
    if file not in _PASSES:
        unchanged = (tree / file).read_text(encoding="utf-8")
        _PASSES[file] = server.judge(tree, file, unchanged, tests, limit)[0] == "survived"
    return _PASSES[file]


def _draw(work: Path, tree: Path, count: int, seed: int) -> list[Mutant]:
    drawn = sample(tree, count, seed)
    (work / "drawn.json").write_text(json.dumps([asdict(m) for m in drawn], ensure_ascii=False))
    return drawn


def _drawn(work: Path) -> list[Mutant]:
    path = work / "drawn.json"
    return [Mutant(**row) for row in json.loads(path.read_text())] if path.exists() else []


def _keep_drawn(work: Path, tree: Path, drawn: list[Mutant]) -> None:
    """The same changes in the new copy: numbers and lines move when code does."""
    from tests.mutation.mutants import mutants

    by_file: dict[str, dict[str, Mutant]] = {}
    kept: list[Mutant] = []
    for mutant in drawn:
        if mutant.file not in by_file:
            by_file[mutant.file] = (
                {m.key: m for m in mutants(tree, mutant.file)} if (tree / mutant.file).exists() else {}
            )
        now = by_file[mutant.file].get(mutant.key)
        if now is not None:
            kept.append(now)
    (work / "drawn.json").write_text(json.dumps([asdict(m) for m in kept], ensure_ascii=False))


if __name__ == "__main__":
    sys.exit(main())
