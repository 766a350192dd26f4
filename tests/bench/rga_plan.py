"""How long judging a plan of twenty RGA calls takes, beyond start-up and reading.

python -m tests.bench.rga_plan
"""

from __future__ import annotations

import time

from prepcheck.app.validate import validate
from prepcheck.app.worlds import Request
from prepcheck.contract.plan import Plan
from tests.plans.rga_mutations import channel, plan


def main() -> None:
    """Print the best and the median of fifty runs."""
    resize = {"api": "imresize", "src": channel("RGB_888", 1280, 720), "dst": channel("RGB_888", 320, 320)}
    calls = [{**resize, "src": {**resize["src"], "hstride": 720 + i, "size": 4_000_000}} for i in range(20)]
    document = Plan.model_validate(plan("rk3588", *calls))
    times = []
    for _ in range(51):
        began = time.perf_counter()
        validate(Request(plan=document))
        times.append(1000 * (time.perf_counter() - began))
    times = sorted(times[1:])
    print(f"20 RGA calls: best {times[0]:.1f} ms, median {times[25]:.1f} ms")


if __name__ == "__main__":
    main()
