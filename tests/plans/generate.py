"""Draw random RKNN plans that are right and judge them: none may have an error.

    python -m tests.plans.generate 3000 [--kind set|memory|mini|python|rknn1] [--first SEED]

Prints what was found wrong, the warnings by rule, and how long it took; exit code 1 where a plan has an error.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from typing import Any

from prepcheck.app.validate import validate
from prepcheck.app.worlds import Request
from prepcheck.contract.plan import Plan
from prepcheck.contract.report import Report
from tests.plans.rknn_random import KINDS, right_plan


def judged(body: dict[str, Any]) -> Report:
    """The report on a plan's body."""
    return validate(Request(plan=Plan.model_validate({"prepcheck": "plan/v1", **body})))


def main() -> int:
    """Draw, judge, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=3000)
    parser.add_argument("--kind", choices=sorted(KINDS))
    parser.add_argument("--first", type=int, default=0)
    asked = parser.parse_args()
    started = time.process_time()
    wrong, warnings = 0, Counter[str]()
    for seed in range(asked.first, asked.first + asked.count):
        body = right_plan(seed, asked.kind)
        report = judged(body)
        warnings.update(f.rule for f in report.findings if f.severity == "warning")
        errors = [f for f in report.findings if f.severity == "error"]
        if errors:
            wrong += 1
            if wrong <= 10:
                print(f"seed {seed}: {errors[0].rule} {errors[0].where}: {errors[0].message}\n  {json.dumps(body)}")
    spent = time.process_time() - started
    print(
        f"{asked.count} right plans, {wrong} with an error; warnings {dict(warnings.most_common())}; {spent:.0f} s of CPU"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
