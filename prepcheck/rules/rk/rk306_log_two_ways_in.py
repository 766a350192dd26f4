"""rknn_inputs_set after rknn_set_io_mem for one input.

What it checks
    `Can not use rknn_inputs_set when you have call rknn_set_io_mem for input N` (version 1 runtime).

Why it matters
    The call is refused.

How it is computed
    Read off the line.

Example
    Memory bound once, then rknn_inputs_set for each frame.

Fix
    One way for each input: write into the bound memory, or do not bind.

Limits
    None known.

References
    strings of librknn_runtime 1.7.5; runtime:V-06
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK306",
    "log-two-ways-in",
    over="log:v1_mixed",
    category="zero_copy",
    severity="error",
    rank=Rank.CALL,
    sources=(
        "strings of librknn_runtime 1.7.5",
        "runtime:V-06",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    yield Finding(
        "Input {i} is bound with rknn_set_io_mem and then set with rknn_inputs_set: the runtime takes one of the two.",
        "The bound memory stays the input; the second call is refused.",
        "Write the frame into the bound memory, or leave rknn_set_io_mem out for this input.",
        {"i": first_event.number("i")},
        about="log:input0",
    )
