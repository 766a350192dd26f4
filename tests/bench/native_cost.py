"""What the recorder costs a frame, and what a check of the C guard header costs in instructions.

    python tests/bench/native_cost.py [--frames N]

The recorder is measured over functions that do nothing: everything beyond the unrecorded run is its cost. Instructions
are counted by valgrind's callgrind, so they do not depend on the machine's load.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from prepcheck.guarding.c_header import c_header

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NATIVE = ROOT / "prepcheck" / "native"
STANDIN = ROOT / "samples" / "04_trace_c" / "standin"
BUDGET_US = 50.0
"""1 % of an inference of 5 ms."""

CONTRACTS: dict[str, dict[str, object]] = {
    "rknn": {
        "runtime": "rknn", "platforms": ["rk3588"], "outputs": [{"name": "scores"}],
        "inputs": [{"name": "images", "layout": "NHWC", "shape": [1, 640, 640, 3], "dtype": "int8", "w_stride": 640, "size_with_stride": 1228800}],
    },
    "mnn": {"runtime": "mnn", "inputs": [{"name": "images", "layout": "NC4HW4", "shape": [1, 3, 640, 640], "dtype": "float32"}]},
}  # fmt: skip
CHECKS = {
    "pc_check_inputs_set": ("rknn", "pc_check_inputs_set(1, in_at)"),
    "pc_check_set_io_mem": ("rknn", "pc_check_set_io_mem(mem_at, attr_at)"),
    "pc_check_mnn_host": ("mnn", 'pc_check_mnn_host("images", dims_at, 4915200, PCG_CAFFE, PCG_FLOAT, 32, dims_at, 4)'),
}
DATA = {
    "rknn": "static float pixels[4]; static pcg_input in = {0, pixels, 1228800, 0, PCG_UINT8, PCG_NHWC};\n"
    "static pcg_mem mem = {pixels, 0, 3, 0, 1228800};\n"
    'static pcg_attr attr = {0, "images", PCG_UINT8, PCG_NHWC, 640, 0};\n'
    "pcg_input *volatile in_at = &in; pcg_mem *volatile mem_at = &mem; pcg_attr *volatile attr_at = &attr;\n",
    "mnn": "static int dims[] = {1, 3, 640, 640}; int *volatile dims_at = dims;\n",
}
"""What the checks look at, behind volatile pointers: a compiler that knew the values would leave the check out."""


def build(*command: str | Path) -> None:
    """Compile; what the compiler says is the error."""
    subprocess.run([str(c) for c in command], check=True)


def recorder(folder: Path, frames: int) -> None:
    """Microseconds a frame with and without the recorder, by the medians of seven runs."""
    compiler = ["cc", "-O2", "-std=gnu99", f"-I{NATIVE}", f"-I{STANDIN}"]
    build(*compiler, "-fPIC", "-shared", "-o", folder / "libnothing.so", HERE / "native_nothing.c")
    build(*compiler, "-fPIC", "-shared", "-o", folder / "libtrace.so", NATIVE / "prepcheck_trace.c", "-ldl")
    link = [f"-L{folder}", "-lnothing", f"-Wl,-rpath,{folder}"]
    build(*compiler, "-o", folder / "frames", HERE / "native_frames.c", *link)
    for way in ("inputs_set", "zero_copy"):
        for label, extra in (
            ("sampled hash", {}),
            ("full hash", {"PREPCHECK_TRACE_HASH": "full"}),
            ("no hash", {"PREPCHECK_TRACE_HASH": "off"}),
        ):
            record = {"LD_PRELOAD": str(folder / "libtrace.so"), "PREPCHECK_TRACE": str(folder / "run.pcrec"), **extra}
            plain, traced = measured(folder, frames, way, {}), measured(folder, frames, way, record)
            cost = traced - plain
            print(
                f"recorder  {way:10}  640x640x3 uint8  {label:12}  {cost:8.1f} us a frame = {cost / 50:5.2f} % of 5 ms (budget {BUDGET_US:.0f} us)"
            )


def measured(folder: Path, frames: int, way: str, env: dict[str, str]) -> float:
    """Microseconds a frame: the median of seven runs."""
    command = [str(folder / "frames"), str(frames), way]
    runs = [
        subprocess.run(command, env={**os.environ, **env}, check=True, capture_output=True, text=True).stdout
        for _ in range(7)
    ]
    return statistics.median(float(r) for r in runs)


def guard(folder: Path) -> None:
    """Instructions of one check that finds nothing, and the header's size."""
    if shutil.which("valgrind") is None:
        print("guard     valgrind is not installed: instructions are not counted")
        return
    for kind, contract in CONTRACTS.items():
        (folder / f"guard_{kind}.h").write_text(c_header(contract, kind), encoding="utf-8")
        print(f"guard     header for {kind:5} {len((folder / f'guard_{kind}.h').read_bytes()):6} bytes (limit 32768)")
    for name, (kind, call) in CHECKS.items():
        counts = [instructions(folder, kind, call, n) for n in (1000, 2000)]
        print(f"guard     {name:20} {(counts[1] - counts[0]) / 1000:8.1f} instructions a check")


def instructions(folder: Path, kind: str, call: str, times: int) -> int:
    """Instructions of a program that makes a call so many times."""
    source, program = folder / "count.c", folder / "count"
    source.write_text(
        f'#include "guard_{kind}.h"\n{DATA[kind]}int main(void) {{ int bad = 0;\n'
        f"for (volatile int i = 0; i < {times}; i++) bad |= {call}; return bad; }}\n",
        encoding="utf-8",
    )
    build("cc", "-O2", "-std=c99", f"-I{folder}", "-o", program, source)
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'callgrind.out'}", str(program)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found is not None, done.stderr
    return int(found[1])


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=1000)
    frames = parser.parse_args().frames
    with tempfile.TemporaryDirectory() as name:
        recorder(Path(name), frames)
        guard(Path(name))


if __name__ == "__main__":
    main()
