"""Input memory is made, bound and destroyed for every frame.

What it checks
    Whether rknn_create_mem and rknn_set_io_mem for one input come again between runs.

Why it matters
    Every frame pays for an allocation and a mapping, memory gets fragmented or leaks, and after a while calls fail or the
    program dies.

How it is computed
    Memory made for the same input before and after a run.

Example
    create, bind, run, destroy, create, bind, run, destroy.

Fix
    Make and bind once at start, write and run per frame, destroy at the end.

Limits
    A warning: it works for a while. Binding one of several memories in turn is fine.

References
    airockchip/rknn_model_zoo#68.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.memory_calls import Remade
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM011",
    "memory-made-per-frame",
    over="plan",
    category="memory",
    severity="warning",
    rank=Rank.MEMORY,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:Z-23", "airockchip/rknn_model_zoo#68"),
    confidence="M",
)
def check(remade: list[Remade]) -> Iterator[Finding]:
    for found in remade:
        yield Finding(
            "The memory of {target} is made {times} times, once for each run, and bound anew each time.",
            "rknn_create_mem allocates and maps device memory; done per frame it costs time, fragments or leaks memory and fails "
            "after a while.",
            "Call rknn_create_mem and rknn_set_io_mem once before the first frame, then only write and rknn_run; destroy at the "
            "end.",
            {"target": found.target, "times": found.times, "second": found.call},
            where=f"calls[{found.call}]",
            about=found.target,
        )
