"""rknn_inputs_set reads uncached memory.

What it checks
    Whether the buffer given to rknn_inputs_set lies in an uncached heap.

Why it matters
    The call copies with the CPU. Reading uncached memory is about 20 times slower: 15 ms against 0.75 ms for one picture in
    a public report.

How it is computed
    `cached: false` or a heap with `uncached` in its name.

Example
    A frame in system-uncached-dma32, filled by RGA, given to rknn_inputs_set.

Fix
    A cached heap with dma_buf_sync, or zero-copy (rknn_create_mem_from_fd and rknn_set_io_mem), which needs no copy.

Limits
    The result is right: a warning.

References
    airockchip/librga#69.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.link_parts import Memory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM018",
    "set-from-uncached-memory",
    over="submitted:rknn_inputs_set",
    category="cache_sync",
    severity="warning",
    rank=Rank.MEMORY,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:G-24", "airockchip/librga#69"),
    confidence="M",
)
def check(held: Memory, label: str, source_name: str | None) -> Iterator[Finding]:
    if held.cached is not False:
        return
    yield Finding(
        "rknn_inputs_set copies {label} out of {buffer} with the CPU, and that memory is uncached.",
        "Uncached reads are about 20 times slower (15 ms against 0.75 ms for one picture in a report). The result is right.",
        "Take a cached heap and dma_buf_sync, or bind the memory (rknn_create_mem_from_fd, rknn_set_io_mem): then nothing is "
        "copied.",
        {"label": label, "buffer": source_name or "the buffer"},
    )
