"""A million frames of streams that look like faults and are none: no complaint.

    python -m tests.bench.guard_streams [FRAMES]

Prints complaints and frames for each stream; exit code 1 where the guard complained at all.
"""

from __future__ import annotations

import sys
import time

from tests.guarding.streams import STREAMS
from tests.guarding.test_streams import run_stream


def main() -> int:
    """Run every stream; several seeds each."""
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    share, seeds = total // len(STREAMS), 4
    complaints = frames = 0
    start = time.process_time()
    for name in STREAMS:
        found = [f for seed in range(seeds) for f in run_stream(name, share // seeds, seed)]
        complaints += len(found)
        frames += share // seeds * seeds
        print(f"{name:24} {share // seeds * seeds:9,} frames {len(found):4} complaints", flush=True)
        for finding in found[:2]:
            print("   ", str(finding).splitlines()[0])
    print(f"{frames:,} frames, {complaints} complaints, {time.process_time() - start:.0f} s")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
