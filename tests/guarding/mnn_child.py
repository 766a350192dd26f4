"""Runs the MNN scenarios in a process of their own: MNN prints on stdout, and an unguarded fault can crash it.

    python -m tests.guarding.mnn_child RESULT.jsonl RUNS

One JSON line a scenario, written before the next one starts.
"""

from __future__ import annotations

import json
import sys
import traceback
from typing import Any, TextIO

import numpy as np

from prepcheck.errors import CheckFailed
from prepcheck.guarding.finding import GuardReport
from tests.guarding.mnn_block_faults import FAULTS as BLOCK_FAULTS
from tests.guarding.mnn_faults import FAULTS
from tests.guarding.mnn_right import RIGHT


def main(path: str, runs: int) -> None:
    """Every fault with `runs` seeds, then the right programs."""
    with open(path, "w", encoding="utf-8") as out:
        for name, (fault, rule) in {**FAULTS, **BLOCK_FAULTS}.items():
            write(out, name, [one(fault, rule, seed) for seed in range(runs)])
        for name, right in RIGHT.items():
            try:
                right()
                write(out, name, ["ok"])
            except BaseException:
                write(out, name, [traceback.format_exc()])


def one(fault: Any, rule: str, seed: int) -> str:
    """`ok` where the fault was stopped by its rule; else what happened."""
    try:
        fault(np.random.default_rng([seed, 3]))
    except CheckFailed as stopped:
        report = stopped.report
        first = report.findings[0] if isinstance(report, GuardReport) else None
        if first is None or first.rule != rule or first.severity != "error":
            return f"stopped by {first}, not by {rule}"
        return "ok" if "{" not in str(first) else f"unfilled: {first}"
    except BaseException:
        return traceback.format_exc()
    return "let through"


def write(out: TextIO, name: str, results: list[str]) -> None:
    """One scenario."""
    out.write(json.dumps({"name": name, "runs": len(results), "bad": [r for r in results if r != "ok"][:2]}) + "\n")
    out.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
