"""Rate and memory of `prepcheck sweep` against a bare loop that only decodes and resizes, with the same number of processes.

    python -m tests.bench.sweep [--images 2000] [--jobs 2] [--rounds 4]

Makes seeded JPEGs of 1280x720 with the textures of photos in a temporary folder (no network). Both sides run in turn, a
part of the images in every round, so that a noisy machine meets both alike. Times are CPU times (user + system of every
process of the command's session, read from /proc every 20 ms) because they do not depend on what else runs; the rate for
free cores is images / (CPU time / jobs). Wall times are printed beside them. Memory: the largest sum of the resident sets
of these processes; pages that they share count in each.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "tests" / "data" / "models" / "rknn" / "rv1106_seed_400x800_i8.rknn"
BARE = """
import sys
from concurrent.futures import ProcessPoolExecutor
import cv2, numpy as np
from PIL import Image

def pillow(path):
    return cv2.resize(np.asarray(Image.open(path).convert("RGB")), (800, 400), interpolation=cv2.INTER_LINEAR).shape

def opencv(path):
    return cv2.resize(cv2.imread(path), (800, 400), interpolation=cv2.INTER_LINEAR).shape

def begin():
    cv2.setNumThreads(1)

if __name__ == "__main__":
    kind, jobs, listed = sys.argv[1:]
    paths = open(listed).read().split("\\n")
    with ProcessPoolExecutor(int(jobs), initializer=begin) as pool:
        assert len(list(pool.map({"pillow": pillow, "opencv": opencv}[kind], paths, chunksize=16))) == len(paths)
"""


def make_images(folder: Path, count: int) -> list[Path]:
    """Seeded pictures: sums of noise at five scales (about 1/f, as photos have), shifted and coloured, with sensor noise."""
    import cv2

    textures = []
    for number in range(24):
        rng = np.random.default_rng(number)
        texture = np.zeros((720, 1280, 3), np.float32)
        for size, weight in ((3, 60), (9, 30), (27, 16), (81, 9), (243, 5)):
            noise = rng.standard_normal((size, size * 16 // 9, 3), dtype=np.float32)
            texture += weight * cv2.resize(noise, (1280, 720), interpolation=cv2.INTER_CUBIC)
        textures.append(np.clip(texture + 118, 0, 255).astype(np.uint8))
    grain = np.random.default_rng(99).normal(8, 3, (720, 1280, 3)).clip(0, 16).astype(np.uint8)
    paths = []
    for number in range(count):
        path = folder / f"{number:05d}.jpg"
        rng = np.random.default_rng(1000 + number)
        picture = np.roll(textures[number % len(textures)], tuple(rng.integers(0, 720, 2)), axis=(0, 1))
        picture = cv2.add(picture, np.roll(grain, int(rng.integers(1280)), axis=1))
        picture = cv2.add(picture, (*(float(v) for v in rng.integers(-14, 15, 3)), 0.0))
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
        paths.append(path)
    return paths


def measure(argv: list[str]) -> tuple[float, float, int]:
    """(CPU seconds of all processes of the command, wall seconds, largest sum of resident sets in KiB)."""
    begun = time.perf_counter()
    process = subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)
    ticks: dict[int, int] = {}
    peak = 0
    while process.poll() is None:
        time.sleep(0.02)
        resident = 0
        for pid, used, size in session(process.pid):
            ticks[pid] = max(ticks.get(pid, 0), used)
            resident += size
        peak = max(peak, resident)
    wall = time.perf_counter() - begun
    if process.returncode not in (0, 1):
        raise SystemExit(f"{argv[:3]} ended with {process.returncode}")
    return sum(ticks.values()) / os.sysconf("SC_CLK_TCK"), wall, peak


def session(leader: int) -> list[tuple[int, int, int]]:
    """(pid, user + system ticks, resident KiB) of every process of a session: workers of a fork server are no children."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            fields = (
                Path(f"/proc/{entry}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            )
        except OSError:
            continue
        if int(fields[3]) == leader:
            pages = int(fields[21]) * os.sysconf("SC_PAGE_SIZE") // 1024
            found.append((int(entry), int(fields[11]) + int(fields[12]), pages))
    return found


def main() -> None:
    """Make the images, run both sides in turn, print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=4)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = make_images(Path(folder), asked.images)
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE, encoding="utf-8")
        totals: dict[str, list[float]] = {"pillow": [0, 0, 0], "opencv": [0, 0, 0], "sweep": [0, 0, 0]}
        for number in range(asked.rounds):
            part = [str(p) for p in paths[number :: asked.rounds]]
            listed = Path(folder) / f"part{number}.txt"
            listed.write_text("\n".join(part), encoding="utf-8")
            commands = {
                "pillow": [sys.executable, str(bare), "pillow", str(asked.jobs), str(listed)],
                "opencv": [sys.executable, str(bare), "opencv", str(asked.jobs), str(listed)],
                "sweep": [sys.executable, "-m", "prepcheck", "sweep", str(MODEL), str(listed), "-j", str(asked.jobs), "-q"],
            }  # fmt: skip
            for name, argv in commands.items():
                cpu, wall, peak = measure(argv)
                totals[name] = [totals[name][0] + cpu, totals[name][1] + wall, max(totals[name][2], peak)]
    found = {
        name: {
            "rate_by_cpu": round(asked.images / (cpu / asked.jobs), 1),
            "rate_by_wall": round(asked.images / wall, 1),
            "cpu_ms_per_image": round(cpu / asked.images * 1e3, 2),
            "peak_mib": round(peak / 1024, 1),
        }
        for name, (cpu, wall, peak) in totals.items()
    }
    ratio = {
        f"sweep/{k}": round(found["sweep"]["rate_by_cpu"] / found[k]["rate_by_cpu"], 3) for k in ("pillow", "opencv")
    }
    print(json.dumps({"images": asked.images, "jobs": asked.jobs, **found, "ratio": ratio}, indent=1))


if __name__ == "__main__":
    main()
