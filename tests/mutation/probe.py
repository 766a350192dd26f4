"""`python -m tests.mutation.probe FILE TEST…`: mutants of one module against the tests given; prints those that live."""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

from tests.mutation import server
from tests.mutation.mutants import mutants, source_of

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Parse, run, print. Exit code 2 where the tests fail without any mutant."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.probe", description=__doc__)
    parser.add_argument("file", help="module, relative to the project: prepcheck/core/yuv.py")
    parser.add_argument("tests", nargs="+", help="files or ids of tests")
    parser.add_argument("--count", type=int, default=80, help="mutants to draw (default 80)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", default="", help="20-45: only mutants of these lines")
    parser.add_argument("--limit", type=float, default=30, help="CPU seconds for one mutant")
    options = parser.parse_args()
    every = list(mutants(ROOT, options.file))
    if options.lines:
        first, _, last = options.lines.partition("-")
        every = [m for m in every if int(first) <= m.line <= int(last or first)]
    drawn = random.Random(options.seed).sample(every, min(options.count, len(every)))
    server.warm(ROOT)
    text = (ROOT / options.file).read_text(encoding="utf-8")
    if server.judge(ROOT, options.file, text, options.tests, options.limit)[0] != "survived":
        print("the tests fail without any mutant")
        return 2
    lived = 0
    start = time.monotonic()
    for mutant in sorted(drawn, key=lambda m: m.number):
        outcome, _ = server.judge(ROOT, options.file, source_of(ROOT, mutant), options.tests, options.limit)
        if outcome in ("survived", "broken"):
            lived += 1
            print(f"{mutant.line} {mutant.scope} {mutant.operator} | {mutant.before} → {mutant.after}", flush=True)
    dead = len(drawn) - lived
    print(f"{dead} of {len(drawn)} killed ({len(every)} in all), {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
