"""Values beyond half precision are handed to a GPU session that stores halves.

What it checks
    The range of what is handed over against ±65504, where the session runs on OpenCL or Vulkan and precision is not high.

Why it matters
    Precision normal and low store fp16 on these backends. Larger values become infinite or are clipped (−65472 stood where
    −632698304 belonged), smaller ones lose digits: 49708 came back as 3252 in one measurement.

How it is computed
    The largest finite half is 65504.

Example
    Depth in micrometres, 0..1200000.

Fix
    precision high, or scale the values.

Limits
    Only what is handed over; layers inside may overflow on their own (backendTest.out shows where).

References
    MNN documents (precision); measured on a software Vulkan device; Z-Xiong/OSTrack-mnn#1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_schedule import HALF_MAX
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN044",
    "beyond-half-range",
    over="schedule",
    category="session_config",
    rank=Rank.VALUES,
    runtimes=("mnn",),
    sources=("mnn:G7", "Z-Xiong/OSTrack-mnn#1"),
)
def check(backend: str, precision: str, fed_ranges: list[tuple[str, int, float, float]]) -> Iterator[Finding]:
    if backend not in ("opencl", "vulkan") or precision == "high":
        return
    for label, position, low, high in fed_ranges:
        if max(abs(low), abs(high)) <= HALF_MAX:
            continue
        yield Finding(
            "{label} gets {low:.6g}..{high:.6g}; with precision {precision} {backend} stores half precision, which ends at {limit:.0f}.",
            "What lies beyond ±{limit:.0f} becomes infinite or is clipped before the first layer.",
            "Set precision high, or scale the values into the range.",
            {"label": label, "low": low, "high": high, "precision": precision, "backend": backend, "limit": HALF_MAX},
            about=f"inputs[{position}]",
        )
