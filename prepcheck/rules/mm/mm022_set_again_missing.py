"""The buffer was refilled, but not set again.

What it checks
    Whether rknn_inputs_set is called again when the buffer has a new picture.

Why it matters
    rknn_inputs_set copies. What is written into the buffer afterwards never reaches the NPU: the second run sees the first
    picture.

How it is computed
    Writes into the submitted buffer (or its source) between two runs without an rknn_inputs_set.

Example
    set, run, decode the next frame into the same buffer, run.

Fix
    rknn_inputs_set before every rknn_run that is to see a new picture.

Limits
    Runs without a write in between (timing loops) are not reported.

References
    RKNN API guide 1.5.2 §4.3 (rknn_inputs_set copies).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.runs import Refill
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM022",
    "set-again-missing",
    over="run",
    category="stale_buffer",
    rank=Rank.MEMORY,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:G-17", "RKNN API guide 1.5.2 §4.3"),
)
def check(refilled: list[Refill], index: int) -> Iterator[Finding]:
    for found in refilled:
        yield Finding(
            "{buffer} gets a new picture at calls[{write}], and rknn_run at calls[{run}] comes without setting {label} again.",
            "rknn_inputs_set at calls[{set}] copied what the buffer held then; the NPU sees that picture a second time.",
            "Call rknn_inputs_set after the buffer is filled and before rknn_run.",
            {
                "buffer": found.buffer,
                "write": found.write_call,
                "run": index,
                "label": found.label,
                "set": found.set_call,
            },
            about=f"inputs[{found.input}]",
        )
