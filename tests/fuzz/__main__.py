"""`python -m tests.fuzz --seconds 180`: every target in turn, each in a process of its own; prints what was run and found."""

from __future__ import annotations

import argparse
import os
import sys

from tests.fuzz.running import again, all_targets, total
from tests.fuzz.targets import TARGETS
from tests.fuzz.whole import importers


def main() -> int:
    """Parse, run, print. Exit code 1 where any input broke the promise."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=180, help="for all targets together (default 180)")
    parser.add_argument("--target", action="append", choices=sorted(TARGETS), help="repeatable; all of them otherwise")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--index", type=int, help="one input of one target once more")
    parser.add_argument("--keep", help="with --index: write the input there")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    options = parser.parse_args()
    names = options.target or [n for n in TARGETS if n != "whole-import" or importers()]
    if options.index is not None:
        return again(names[0], options.seed, options.index, options.keep)
    print(f"seed {options.seed}, {len(names)} targets, {options.seconds:.0f} s")
    found = all_targets(names, options.seconds, options.seed, options.jobs)
    sums = total(found)
    print(
        f"{sums['inputs']:.0f} inputs, {sums['faults']:.0f} faults; slowest {sums['slowest'] * 1000:.0f} ms, "
        f"most memory {sums['mib']:.0f} MiB above the start"
    )
    return int(sums["faults"] > 0)


if __name__ == "__main__":
    sys.exit(main())
