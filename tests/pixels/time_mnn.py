"""Time of the computed ImageProcess against the installed MNN's own, both on one thread.

    python tests/pixels/time_mnn.py

1920x1080 NV12 to 640x640 float32 NCHW is the promised one (within 4 times MNN's own time); others for comparison.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import perf_counter

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import MNN  # noqa: E402
import numpy as np  # noqa: E402
from mnn_cases import Case  # noqa: E402
from mnn_child import LAYOUTS, TYPES, processor  # noqa: E402

from prepcheck.pixels.image_process import (  # noqa: E402
    Destination,
    ImageProcessConfig,
    convert,
    half_pixel_matrix,
)

NORMAL = (1 / 58.395, 1 / 57.12, 1 / 57.375, 1.0)
MEAN = (123.675, 116.28, 103.53, 0.0)
RUNS = 30


def case(source: str, to: str, filter_name: str, dtype: str = "float32", layout: str = "NCHW") -> Case:
    """1920x1080 to 640x640."""
    size, channels = (1920, 1080), 4 if to == "RGBA" else 3
    shape = (1, 640, 640, channels) if layout == "NHWC" else (1, channels, 640, 640)
    matrix = half_pixel_matrix(size, (640, 640))
    config = ImageProcessConfig(source, to, MEAN, NORMAL, filter_name, matrix=matrix)
    return Case(config, size, Destination(shape, layout, dtype), 0, 0)


def best(call: object, runs: int = RUNS) -> float:
    """Milliseconds of the quickest of `runs` calls."""
    assert callable(call)
    times = []
    for _ in range(runs):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return min(times) * 1e3


def main() -> None:
    """Prints a line for each case."""
    wanted = [
        case("YUV_NV12", "RGB", "nearest"),
        case("BGR", "RGB", "bilinear"),
        case("BGR", "RGB", "nearest"),
        case("RGBA", "RGBA", "bilinear"),
        case("BGR", "RGB", "bilinear", "uint8", "NHWC"),
    ]
    for c in wanted:
        source = c.source()
        halide, dtype = TYPES[c.dest.dtype]
        tensor = MNN.Tensor(c.dest.shape, halide, np.zeros(c.dest.shape, dtype), LAYOUTS[c.dest.layout])
        made = processor(c)
        own = best(lambda: made.convert(source, *c.size, c.stride, tensor))  # noqa: B023 - called at once
        ours = best(lambda: convert(c.config, source, c.size, c.dest, c.stride))  # noqa: B023
        name = f"{c.config.source_format} -> {c.config.dest_format} {c.config.filter}, {c.dest.dtype} {c.dest.layout}"
        print(f"{name:45} MNN {own:6.2f} ms, computed {ours:6.2f} ms: {ours / own:.2f} times")


if __name__ == "__main__":
    main()
