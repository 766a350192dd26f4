"""The bound memory is no more when the NPU reads it.

What it checks
    Whether the memory that was bound still is the one that has its name: not destroyed, not made anew since.

Why it matters
    After rknn_destroy_mem the runtime reads freed memory. Memory that is made again under the same variable is another
    piece: what is written into it never reaches the NPU, which keeps reading the old one.

How it is computed
    rknn_destroy_mem, rknn_create_mem and alloc between the binding and the run.

Example
    set_io_mem(mem); destroy_mem(mem); run.

Fix
    Make and bind once; destroy after the last run. Bind again after making anew.

Limits
    None known.

References
    RKNN API guide 1.5.2 §4.4; the set of causes of "one answer for every picture" (memory made again after binding).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.flow import Binding, MemoryState
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM010",
    "memory-gone",
    over="bound",
    category="memory",
    rank=Rank.CALL,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:B-04", "RKNN API guide 1.5.2 §4.4"),
)
def check(memory: MemoryState, binding: Binding, run_call: int, label: str, name_of_memory: str) -> Iterator[Finding]:
    if memory.destroyed is not None and memory.destroyed < run_call:
        yield Finding(
            "{memory} is bound to {label} and destroyed at calls[{at}] before rknn_run.",
            "The runtime keeps using the memory that it was given: it reads freed memory, or memory that somebody else has now.",
            "Destroy the memory after the last run, or bind other memory first.",
            {"memory": name_of_memory, "label": label, "at": memory.destroyed, "link": "memory -> binding"},
            where=f"calls[{memory.destroyed}]",
        )
    elif memory.born is not None and binding.call < memory.born < run_call:
        yield Finding(
            "{memory} is made anew at calls[{born}], after calls[{bind}] bound it to {label}.",
            "The binding stays with the first piece of memory. What is written into the new one never reaches the NPU: the "
            "answer is the same for every picture.",
            "Call rknn_set_io_mem again after making the memory, or make it once.",
            {
                "memory": name_of_memory, "label": label, "born": memory.born, "bind": binding.call,
                "link": "memory -> binding",
            },
            where=f"calls[{memory.born}]", category="zero_copy",
        )  # fmt: skip
