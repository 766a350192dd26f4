"""How far the computed ImageProcess agrees with the installed MNN: the figure and the worst case.

    python tests/pixels/agree_mnn.py [--cases 2000] [--seed 1]

Exit code 1 where a case disagrees: uint8 destinations have to be equal, float32 ones within 1 ulp.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from mnn_cases import Case, cases  # noqa: E402

from prepcheck.pixels.image_process import convert  # noqa: E402

CHUNK = 500
"""Cases that one MNN process answers."""


def mnn_answers(seed: int, count: int, python: str = sys.executable) -> list[NDArray[np.generic]]:
    """What MNN writes for the cases of a seed, from a child process. Raises CalledProcessError where MNN dies."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "answers.npz"
        command = [python, str(Path(__file__).with_name("mnn_child.py")), str(seed), str(count), str(out)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=600)
        with np.load(out) as answers:
            return [answers[str(i)] for i in range(count)]


def ulps(got: NDArray[np.generic], want: NDArray[np.generic]) -> int:
    """Largest distance in units of the last place (float32) or steps (uint8). Shapes have to be equal."""
    if got.shape != want.shape or got.dtype != want.dtype:
        raise AssertionError(f"{got.dtype} {got.shape} against {want.dtype} {want.shape}")
    if want.dtype == np.uint8:
        return int(np.max(np.abs(got.astype(np.int64) - want.astype(np.int64)), initial=0))
    ordered = [np.where(a < 0, -(2**31) - a, a) for a in (x.view(np.int32).astype(np.int64) for x in (got, want))]
    return int(np.max(np.abs(ordered[0] - ordered[1]), initial=0))


def why_not() -> str | None:
    """Why no comparison is possible here; None where it is."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return f"the model is of x86-64, this is {platform.machine()}"
    probe = subprocess.run(
        [sys.executable, "-c", "import MNN; print('version', MNN.version())"],
        capture_output=True,
        text=True,
        check=False,
    )
    if probe.returncode:
        return "MNN cannot be imported (pip install MNN)"
    version = probe.stdout.split("version ")[-1].strip()
    return None if version.startswith("3.6.1") else f"the model is of MNN 3.6.1, {version} is installed"


def disagreements(seed: int, count: int) -> list[tuple[int, Case]]:
    """(distance, case) of every case, in order."""
    return [
        (ulps(convert(c.config, c.source(), c.size, c.dest, c.stride), a), c)
        for c, a in zip(cases(seed, count), mnn_answers(seed, count), strict=True)
    ]


def main() -> int:
    """Prints the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    reason = why_not()
    if reason:
        print(f"skipped: {reason}")
        return 0
    results: list[tuple[int, Case]] = []
    for part, first in enumerate(range(0, options.cases, CHUNK)):
        results += disagreements(options.seed + part, min(CHUNK, options.cases - first))
    exact = sum(distance == 0 for distance, _ in results)
    bad = [r for r in results if r[0] > (0 if r[1].dest.dtype == "uint8" else 1)]
    worst = max(results, key=lambda r: r[0])
    kinds = Counter((c.dest.dtype, c.dest.layout) for _, c in results)
    pairs = {(c.config.source_format, c.config.dest_format) for _, c in results}
    print(
        f"{exact} of {len(results)} bit for bit, {len(results) - len(bad)} within the promise; {len(pairs)} format pairs"
    )
    print("destinations:", ", ".join(f"{n} {d} {layout}" for (d, layout), n in sorted(kinds.items())))
    print(f"worst: {worst[0]} ulp or steps: {worst[1]}")
    for distance, case in sorted(bad, key=lambda r: r[1].dest.dims.elements)[:10]:
        print(f"DISAGREES by {distance}: {case}")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
