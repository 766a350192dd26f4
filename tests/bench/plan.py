"""What judging a plan of 20 calls costs, apart from start-up and reading its YAML (CPU time, milliseconds).

    python tests/bench/plan.py [--limit 15]

Start-up: the interpreter's imports and the rules that apply. YAML: the text to a plan. Judging: the rules over the
facts and the report, in a process that has the rules loaded; the median of 21 runs, and the first one.
Exit code 1 where the median is above the limit.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

HEAD = """prepcheck: plan/v1
runtime: rknn
platform: rk3588
version: "2.3.2"
model:
  inputs:
    - {index: 0, name: images, layout: NHWC, shape: [1, 640, 640, 3], dtype: int8, scheme: affine, scale: 0.003922, zero_point: -128, size: 1228800, w_stride: 640, size_with_stride: 1228800}
  outputs:
    - {index: 0, name: out, layout: NCHW, shape: [1, 84, 8400], dtype: int8, scheme: affine, scale: 0.1, zero_point: 0}
  toolkit: 2.3.2
  build: {mean: [[0, 0, 0]], std: [[255, 255, 255]], quantized: true}
  training: {color: RGB, range: [0, 1], resize: letterbox, fill: 114}
buffers:
  frame: {dtype: uint8, shape: [1080, 1920, 3], layout: HWC, color: BGR, size: 6220800, memory: {kind: dma_fd, heap: system-dma32, cached: true, address: 5, capacity: 6220800}}
  mem: {dtype: uint8, shape: [640, 640, 3], layout: HWC, color: RGB, range: [0, 255], size: 1228800, memory: {kind: dma_fd, cached: true, capacity: 1228800}}
steps:
  - decode: {library: opencv, color: BGR, size: [1920, 1080]}
  - convert_color: {to: RGB}
  - letterbox: {size: [640, 640], fill: 114, align: center}
calls:
  - {api: rknn_init, flags: []}
  - {api: rknn_create_mem, buffer: mem, size: 1228800, attr: INPUT_ATTR}
  - {api: rknn_set_io_mem, index: 0, buffer: mem, type: UINT8, fmt: NHWC, size: 1228800, pass_through: 0, w_stride: 640}
  - {api: rknn_create_mem, for: "outputs[0]", size: 705600, attr: OUTPUT_ATTR}
"""
FRAME = """  - {api: write, buffer: frame, by: decoder, size: 6220800}
  - {api: write, buffer: mem, from: frame, by: rga, dtype: uint8, size: 1228800, wstride: 640}
  - {api: rknn_mem_sync, buffer: mem, direction: to_device}
  - {api: rknn_run}
"""
PLAN = HEAD + FRAME * 4


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--limit", type=float, default=15.0, help="milliseconds")
    limit = parser.parse_args().limit
    started = time.process_time()
    from prepcheck.app.validate import judge, rules_for
    from prepcheck.app.worlds import Request, prepare
    from prepcheck.contract.loading import plan_from_text
    from prepcheck.contract.plan import Plan

    plan_from_text(PLAN, "warm.yaml")  # builds the schema, as any plan does once
    rules_for(prepare(Request(plan=plan_from_text(PLAN, "plan.yaml"))).world)
    start_up = time.process_time() - started
    at = time.process_time()
    plan: Plan = plan_from_text(PLAN, "plan.yaml")
    yaml = time.process_time() - at
    assert len(plan.calls) == 20, len(plan.calls)
    times = []
    for _ in range(22):
        at = time.process_time()
        report = judge(prepare(Request(plan=plan)))
        times.append((time.process_time() - at) * 1000)
        assert report.verdict == "ok", [f.message for f in report.findings]
    first, rest = times[0], sorted(times[1:])
    median = rest[len(rest) // 2]
    print(
        f"start-up {start_up * 1000:.0f} ms, YAML {yaml * 1000:.1f} ms, judging 20 calls {median:.1f} ms (first {first:.1f} ms)"
    )
    return 0 if median <= limit else 1


if __name__ == "__main__":
    sys.exit(main())
