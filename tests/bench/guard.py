"""What the guard costs: added microseconds a call, statistics, memory over a million calls, import time.

    python -m tests.bench.guard [--calls 1000000] [--quick]

Every figure has its bar beside it; exit code 1 where one is missed. Times are CPU time, so that other work on the machine counts
less: the lower quartile of many rounds, the guarded and the unguarded call taken in turn.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np

from prepcheck.guarding.guard import Guard
from prepcheck.guarding.proxies import guard
from tests.guarding.contracts import RKNN, rknn

ROOT = Path(__file__).resolve().parents[2]

IMPORT = (
    "import numpy, time\nt=time.process_time()\n"
    "from prepcheck.guarding.guard import Guard\nfrom prepcheck.guarding.proxies import guard\n"
    "print((time.process_time()-t)*1000)"
)


class Fixed(RKNN):
    """Answers at once, so that the time is the guard's."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = [[np.linspace(k, k + 1, 1000, dtype=np.float32)[None]] for k in range(4)]

    def inference(
        self, inputs: Any, data_format: Any = None, inputs_pass_through: Any = None, get_frame_id: bool = False
    ) -> Any:
        self.runs += 1
        return self.answers[self.runs % 4]


def quartile(times: list[float]) -> float:
    """Lower quartile."""
    return sorted(times)[len(times) // 4]


def added(guarded: Any, bare: Any, frames: list[Any], rounds: int, calls: int) -> float:
    """Microseconds that a guarded inference() takes beyond the bare one."""
    with_guard, without = [], []
    for _ in range(rounds):
        for target, times in ((bare, without), (guarded, with_guard)):
            start = time.process_time()
            for k in range(calls):
                target.inference(inputs=[frames[k % len(frames)]])
            times.append((time.process_time() - start) / calls * 1e6)
    return quartile(with_guard) - quartile(without)


def per_call(side: int, quick: bool) -> tuple[float, float]:
    """Added µs of an ordinary call and of a call that takes statistics, for side x side x 3 uint8."""
    rng = np.random.default_rng(side)
    frames = [rng.integers(0, 256, (1, side, side, 3), dtype=np.uint8) for _ in range(4)]
    contract, rounds = rknn((1, side, side, 3)), 5 if quick else 25
    plain: Any = guard(Fixed(), contract, every=1_000_000_000)
    for frame in frames:
        plain.inference(inputs=[frame])
    each = added(plain, Fixed(), frames, rounds, 400)
    full: Any = guard(Fixed(), contract, every=1)
    return each, added(full, Fixed(), frames, rounds, 40)


def growth(calls: int) -> int:
    """Bytes that a guard holds more after `calls` calls than after a tenth of them."""
    rng = np.random.default_rng(0)
    frames = [rng.integers(0, 256, (1, 24, 32, 3), dtype=np.uint8) for _ in range(16)]
    checked = Guard(rknn((1, 24, 32, 3)), on_fail=lambda finding: None)
    wrong = np.zeros((24, 32, 3), np.uint8)
    outputs = [np.linspace(0, 1, 100, dtype=np.float32)[None] * (k + 1) for k in range(16)]
    tracemalloc.start()
    held = 0
    for k in range(calls):
        checked.check(frames[k % 16] if k % 10 else wrong, frame=frames[k % 16][0])
        checked.answered([frames[k % 16]], [outputs[k % 16]])
        if k == calls // 10:
            gc.collect()  # also empties Python's own free lists, which hold up to 2,000 tuples of each length
            held = tracemalloc.get_traced_memory()[0]
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - held
    tracemalloc.stop()
    return grown


def import_ms() -> float:
    """Milliseconds that importing the guard takes once numpy is there, compiled as an installed package is; best of nine."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = cache
        runs = [
            float(
                subprocess.run(
                    [sys.executable, "-c", IMPORT],
                    capture_output=True,
                    text=True,
                    check=True,
                    cwd=ROOT,
                    env=environment,
                ).stdout
            )
            for _ in range(9)
        ]
    return min(runs)


def main() -> int:
    """Measure and compare with the bars."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    rows: list[tuple[str, float, str, float]] = []
    for side in (224, 640):
        each, statistics = per_call(side, options.quick)
        rows.append((f"added per call, {side}x{side}x3 uint8", each, "µs", 15.0))
        rows.append((f"added with statistics, {side}x{side}x3 uint8", statistics / 1000, "ms", 1.0))
    rows.append(("import beyond numpy", import_ms(), "ms", 30.0))
    calls = 20_000 if options.quick else options.calls
    rows.append((f"memory after {calls:,} calls beyond a tenth of them", growth(calls) / 1024, "KiB", 16.0))
    for name, value, unit, bar in rows:
        print(f"{name:56} {value:8.2f} {unit:4} bar {bar:g} {'ok' if value <= bar else 'MISSED'}")
    return int(any(value > bar for _, value, _, bar in rows))


if __name__ == "__main__":
    sys.exit(main())
