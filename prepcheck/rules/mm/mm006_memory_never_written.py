"""The bound memory is never written before the run.

What it checks
    Whether somebody writes the memory that is bound to an input.

Why it matters
    rknn_run does not know: it returns 0 and computes on what lies there. The answer is the same for every picture.

How it is computed
    The writes (CPU, copies, RGA, decoders) into the memory before the run. A write that failed is a finding of its own.

Example
    RGA writes fd 9, the memory with fd 12 is bound.

Fix
    Fill the memory that is bound: mem->virt_addr for the CPU, mem->fd for RGA.

Limits
    A run to warm up, whose answer is not read, is left out. A plan that tells of no write at all is left unknown, unless it is a record.

References
    Measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.flow import MemoryState
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM006",
    "memory-never-written",
    over="bound",
    category="stale_buffer",
    rank=Rank.MEMORY,
    runtimes=("rknn", "rknn1"),
    sources=("measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation",),
)
def check(
    content_state: MemoryState, written_elsewhere_before: list[tuple[str, int]], label: str, name_of_memory: str
) -> Iterator[Finding]:
    if content_state.writes:  # RGA's own rules say it where a write failed
        return
    other = written_elsewhere_before[-1] if written_elsewhere_before else None
    if content_state.stale:
        yield Finding(
            "{memory} stands for fresh memory since calls[{born}]; nobody writes it before the run.",
            "What was written earlier went into the memory that had the name before. {label} reads undefined content.",
            "Write the picture after the memory is made, or keep the first memory.",
            {"memory": name_of_memory, "born": content_state.born, "label": label, "link": "write -> memory"},
        )
    elif other is not None:
        yield Finding(
            "{memory} is bound to {label} and never written; calls[{at}] writes {other} instead.",
            "The NPU reads the memory that was bound, and that is not the one that is filled: the answer is the same for every "
            "picture, and no call fails.",
            "Write into the memory that is bound (its virt_addr or fd), or bind {other}.",
            {"memory": name_of_memory, "label": label, "at": other[1], "other": other[0], "link": "write -> memory"},
        )
    else:
        yield Finding(
            "{memory} is bound to {label} and never written.",
            "rknn_run returns 0 and computes on what lies in the memory: the answer is the same for every picture.",
            "Write the picture into the memory before rknn_run.",
            {"memory": name_of_memory, "label": label, "link": "write -> memory"},
        )
