"""Judge single mistakes in right RKNN plans: each must be named, and be the only error.

python -m tests.plans.mutate [--count 20] [--only NAME]
"""

from __future__ import annotations

import argparse
import json
import sys

from prepcheck.contract.report import Report
from tests.plans.generate import judged
from tests.plans.rknn_mutations import MUTATIONS, Mutation, mutated


def fault(wanted: Mutation, report: Report) -> str | None:
    """What is wrong with the report on a mistake; None where it names it and nothing else."""
    loud = [f for f in report.findings if f.severity != "info"]
    if not loud:
        return "nothing found"
    shown = [f"{f.rule} {f.severity}" for f in loud]
    if loud[0].rule not in wanted.rules:
        return f"first is {shown}, wanted {sorted(wanted.rules)}"
    if loud[0].severity == "info" or (wanted.severity == "error") != (loud[0].severity == "error"):
        return f"{shown[0]}, wanted {wanted.severity}"
    errors = [f for f in loud if f.severity == "error"]
    return f"other errors: {shown}" if len(errors) > 1 else None


def main() -> int:
    """Mutate, judge, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--only")
    asked = parser.parse_args()
    wrong = judged_plans = 0
    for wanted in MUTATIONS:
        if asked.only and asked.only != wanted.name:
            continue
        seen, told = 0, 0
        for where, body in mutated(wanted, asked.count, limit=40 * asked.count):
            seen += 1
            said = fault(wanted, judged(body))
            if said is not None:
                wrong += 1
                told += 1
                if told <= 2:
                    print(f"{wanted.name} ({where}): {said}\n  {json.dumps(body)[:1500]}")
        judged_plans += seen
        if seen == 0:
            wrong += 1
            print(f"{wanted.name}: no plan has a place for it")
    print(f"{len(MUTATIONS)} mistakes, {judged_plans} plans, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
