"""rknn_inputs_set and rknn_set_io_mem on the same input.

What it checks
    Whether an input is both set by copying and bound as memory.

Why it matters
    librknnrt accepts both; the later call wins and the other buffer is never read again. The runtime of the first
    generation refuses: `Can not use rknn_inputs_set when you have call rknn_set_io_mem`.

How it is computed
    The calls before a run that name the same input.

Example
    Memory is bound at start, each frame is given to rknn_inputs_set, and RGA goes on writing into the bound memory.

Fix
    Decide for one of the two ways per input.

Limits
    A program that changes over on purpose, once, is reported too: the guide forbids it.

References
    RKNN API guide 1.5.2 §4.4.2; strings of librknn_runtime 1.7.5; measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.runs import TwoWays
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK012",
    "two-ways-for-one-input",
    over="plan",
    category="zero_copy",
    rank=Rank.CALL,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:G-15", "runtime:V-06", "RKNN API guide 1.5.2 §4.4.2"),
)
def check(two_ways: list[TwoWays], runtime: str) -> Iterator[Finding]:
    for found in two_ways:
        yield Finding(
            "{label} is given by rknn_inputs_set (calls[{set}]) and bound by rknn_set_io_mem (calls[{bind}]).",
            "The runtime refuses it: `Can not use rknn_inputs_set when you have call rknn_set_io_mem`."
            if runtime == "rknn1"
            else "Both calls return 0; the later one (calls[{last}]) wins and the other buffer is not read any more. The guide "
            "forbids the mixture.",
            "Keep one of the two: rknn_set_io_mem once at start and pixels into that memory, or rknn_inputs_set per frame.",
            {
                "label": found.label, "set": found.set_call, "bind": found.bind_call,
                "last": max(found.set_call, found.bind_call), "link": "binding -> attribute",
            },
            where=f"calls[{max(found.set_call, found.bind_call)}]", about=f"inputs[{found.input}]",
        )  # fmt: skip
