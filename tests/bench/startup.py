#!/usr/bin/env python3
"""CPU time of whole processes, median and fastest of N runs in turn: help, rules, inspect, validate, a sparse file of 1 GiB.

    python tests/bench/startup.py [-n 11]

`validate` is compared with the imports that it cannot avoid, measured in the same run. Prints figures; asserts nothing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "tests" / "data" / "models" / "rknn"
SMALL = MODELS / "rk3588_imagenet_i8.rknn"


def cpu_ms(argv: list[str]) -> float:
    """User + system time of a command, in milliseconds."""
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1), argv
    return 1000 * (usage.ru_utime + usage.ru_stime)


def sparse(folder: Path, size: int) -> Path:
    """A full container whose payload is followed by a hole: the payload length says `size`."""
    data = SMALL.read_bytes()
    payload = int.from_bytes(data[16:24], "little")
    tail = data[64 + payload :]
    path = folder / "big.rknn"
    with path.open("wb") as stream:
        stream.write(data[:16] + size.to_bytes(8, "little") + data[24 : 64 + payload])
        stream.seek(64 + size)
        stream.write(tail)
    return path


def main() -> None:
    """Measure and print."""
    os.environ.pop(
        "PYTHONDONTWRITEBYTECODE", None
    )  # an installed program has its bytecode: compiling is not what is measured
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=11, help="runs of each command")
    n = parser.parse_args().n
    program = shutil.which("prepcheck") or str(Path(sys.executable).with_name("prepcheck"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        same, other = folder / "same.png", folder / "other.png"
        pixels = np.random.default_rng(1).integers(0, 256, (20, 36, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(same)
        Image.fromarray(pixels).resize((72, 40)).save(other)
        big = sparse(folder, 1 << 30)
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
        imports = "import click, numpy, PIL.Image\nfrom pydantic import BaseModel"
        rows = [
            ("--help", [program, "--help"]),
            ("rules CT001", [program, "rules", "CT001"]),
            ("inspect --format json, 21 kB", [program, "inspect", str(SMALL), "--format", "json"]),
            ("inspect --format json, 1 GiB sparse", [program, "inspect", str(big), "--format", "json"]),
            ("imports that validate cannot avoid", [sys.executable, "-c", imports]),
            ("the same and cv2", [sys.executable, "-c", imports + "\nimport cv2"]),
            ("validate --format json, size fits", [program, "validate", str(SMALL), str(same), "--format", "json"]),
            ("validate --format json, resized", [program, "validate", str(SMALL), str(other), "--format", "json"]),
        ]
        times: dict[str, list[float]] = {label: [] for label, _ in rows}
        for _ in range(n):  # in turn: a machine that grows slower or faster does so for all of them
            for label, argv in rows:
                times[label].append(cpu_ms(argv))
        print("  median  fastest")
        for label, _ in rows:
            print(f"{statistics.median(times[label]):5.0f} ms {min(times[label]):5.0f} ms  {label}")
        for case, imports in (("size fits", "imports that validate cannot avoid"), ("resized", "the same and cv2")):
            label = f"validate --format json, {case}"
            above = [a - b for a, b in zip(times[label], times[imports], strict=True)]
            print(
                f"{statistics.median(above):5.0f} ms {min(times[label]) - min(times[imports]):5.0f} ms  above the imports, {case}"
            )


if __name__ == "__main__":
    main()
