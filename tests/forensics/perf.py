"""CPU time and memory of a diagnosis, over the size of the buffer.

    python -m tests.forensics.perf [--sizes 640x640 1920x1080] [--only NAME ...] [--check]

Each case runs in processes of its own, after one diagnosis of a tiny buffer (so that imports are not counted). Memory is
the peak of the resident set above what it was when the diagnosis began (Linux: /proc/self/clear_refs; freed memory is
given back at once there, by glibc's thresholds), in multiples of the buffer. --check: exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from prepcheck.forensics import BufferSpec, diagnose
from tests.forensics import legal
from tests.forensics.build import U8, build, elements, laid_out
from tests.forensics.catalogue import outside
from tests.forensics.contracts import Contract
from tests.forensics.judge import expected_for
from tests.forensics.photos import scene

BARS = {"correct": {640 * 640: 0.1}, "faulty": {640 * 640: 1.5, 1920 * 1080: 5.0}}
"""CPU seconds, by pixels of the buffer."""
MEMORY = 25.0
"""Times the buffer."""


@dataclass(frozen=True)
class Case:
    kind: str  # correct or faulty
    name: str
    make: Callable[[U8, Contract], bytes]


def _fault(*chain: dict[str, Any]) -> Callable[[U8, Contract], bytes]:
    return lambda image, contract: build(image, contract, [dict(f) for f in chain], previous=scene(9, 900, 700))


def _legal(how: str) -> Callable[[U8, Contract], bytes]:
    return lambda image, contract: legal.buffer(image, contract, how, np.random.default_rng(1))


def _outside(how: str) -> Callable[[U8, Contract], bytes]:
    def make(image: U8, contract: Contract) -> bytes:
        expected = expected_for(image, contract)
        spoilt = outside(expected.pixels)[how]
        return laid_out(elements(spoilt, expected.spec, []), expected.spec, [], np.random.default_rng(0)).tobytes()

    return make


CASES = (
    *(Case("correct", how, _legal(how)) for how in ("opencv", *legal.NAMES[1:])),
    Case("faulty", "channels", _fault({"name": "channels_swapped"})),
    Case("faulty", "flip", _fault({"name": "flipped_vertical"})),
    Case("faulty", "planar", _fault({"name": "planar_instead_of_interleaved"})),
    Case("faulty", "pitch", _fault({"name": "row_stride", "got": 0, "_pad": "noise"})),
    Case("faulty", "header", _fault({"name": "header_offset", "bytes": 54})),
    Case("faulty", "partial", _fault({"name": "partial_fill", "rows": 200, "rest": 90})),
    Case("faulty", "shift", _fault({"name": "shifted", "dx": -3, "dy": 5, "border": 0})),
    Case("faulty", "crop", _fault({"name": "center_crop", "crop": None})),
    Case("faulty", "scaled", _fault({"name": "scaled_0_1", "by": 255.0})),
    Case("faulty", "float32", _fault({"name": "float32_bytes"})),
    *(Case("faulty", f, _fault({"name": "yuv_as_rgb", "format": f})) for f in ("NV12", "NV21", "I420", "YUYV")),
    Case("faulty", "matrix", _fault({"name": "yuv_matrix", "used": "BT709", "want": "BT601"})),
    Case("faulty", "jpeg", _fault({"name": "encoded_bytes", "format": "jpeg"})),
    Case("faulty", "other image", _fault({"name": "different_image"})),
    Case("faulty", "flip, channels", _fault({"name": "flipped_vertical"}, {"name": "channels_swapped"})),
    Case("faulty", "channels, pitch", _fault({"name": "channels_swapped"}, {"name": "row_stride", "got": 0})),
    Case(
        "faulty",
        "rotated, planar",
        _fault({"name": "rotated", "degrees": 90}, {"name": "planar_instead_of_interleaved"}),
    ),
    Case(
        "faulty", "noise", lambda image, c: np.random.default_rng(3).integers(0, 256, c.spec.nbytes, np.uint8).tobytes()
    ),
    *(Case("faulty", how, _outside(how)) for how in ("blurred", "gamma", "hue", "eleven degrees", "tiles shuffled")),
)


def _filled(data: Case, contract: Contract, image: U8) -> bytes:
    """The bytes of a case; what depends on the size is filled in here."""
    if "pitch" in data.name:
        chain = [{"name": "channels_swapped"}] if "channels" in data.name else []
        width = contract.size[1]
        return build(image, contract, [*chain, {"name": "row_stride", "got": (width + 16) * 3, "_pad": "noise"}])
    if data.name == "crop":
        from prepcheck.forensics.poses import cover_crop

        crop = cover_crop(image.shape[:2], contract.size, 0.875)
        return build(image, contract, [{"name": "center_crop", "crop": [crop.x, crop.y, crop.w, crop.h]}])
    return data.make(image, contract)


def measured(data: Case, size: tuple[int, int]) -> tuple[str, float, float]:
    """(what was said, CPU seconds, peak memory in buffers) of one case; size: (width, height)."""
    spec = BufferSpec("uint8", "NHWC", (1, size[1], size[0], 3), model_mean=(0.0,), model_std=(255.0,))
    contract = Contract("perf", spec)
    image = scene(4, 1280, 800)
    expected, buffer = expected_for(image, contract), _filled(data, contract, image)
    small = Contract("small", replace(spec, shape=(1, 48, 64, 3)))
    diagnose(expected_for(image, small), build(image, small, [{"name": "flipped_vertical"}]))
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    start = time.process_time()
    found = diagnose(expected, buffer)
    seconds = time.process_time() - start
    peak = _status("VmHWM") - before
    return "+".join(f.name for f in found.faults) or found.verdict, seconds, peak / len(buffer)


def _status(key: str) -> int:
    line = next(x for x in Path("/proc/self/status").read_text().splitlines() if x.startswith(key))
    return int(line.split()[1]) * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--sizes", nargs="*", default=["640x640", "1920x1080"])
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    missed = []
    print("size | case | said | CPU s | memory, buffers")
    for text in options.sizes:
        width, height = (int(v) for v in text.split("x"))
        for data in CASES:
            if options.only and data.name not in options.only:
                continue
            job = (CASES.index(data), (width, height))
            said, seconds, _ = _apart(job)
            memory = _apart(job, MALLOC_MMAP_THRESHOLD_="65536", MALLOC_TRIM_THRESHOLD_="65536")[2]
            bar = BARS[data.kind].get(width * height, float("inf"))
            late, wide = seconds > bar, memory > MEMORY
            if late or wide:
                missed.append(data.name)
            mark = " over" if late or wide else ""
            print(f"{text} | {data.kind}: {data.name} | {said} | {seconds:.3f} | {memory:.1f}{mark}", flush=True)
    if missed and options.check:
        raise SystemExit(1)


def _apart(job: tuple[int, tuple[int, int]], **environment: str) -> tuple[str, float, float]:
    os.environ.update(environment)
    try:
        with get_context("spawn").Pool(1) as pool:
            return pool.apply(_one, job)
    finally:
        for name in environment:
            del os.environ[name]


def _one(index: int, size: tuple[int, int]) -> tuple[str, float, float]:
    return measured(CASES[index], size)


if __name__ == "__main__":
    main()
