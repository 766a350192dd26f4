"""The memory is bound with a layout that the mini runtime does not take.

What it checks
    The line `tensor layout must be: X, but is: Y` of rknn_set_io_mem (RV1103, RV1106).

Why it matters
    The call fails; rknn_run then works on internal memory that nobody fills, and returns 0.

How it is computed
    Read off the line.

Example
    `input(images) tensor layout must be: NHWC, but is: NCHW`

Fix
    Set attr.fmt to the layout named and write the memory in that order, rows w_stride pixels apart.

Limits
    None known.

References
    strings of librknnmrt 2.3.2; runtime:M-05
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "LY302",
    "log-memory-layout",
    over="log:io_lay_m",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=(
        "strings of librknnmrt 2.3.2",
        "runtime:M-05",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    yield Finding(
        "Memory for {name} is bound as {got}; the runtime takes {need}.",
        "rknn_set_io_mem refuses it (-5). A program that goes on runs on memory that nobody fills: one answer for every picture.",
        "Set the attribute's fmt to RKNN_TENSOR_{need} before rknn_set_io_mem, and write the memory in that order.",
        {
            "name": first_event.word("name") or "the tensor",
            "got": first_event.word("got"),
            "need": first_event.word("need"),
        },
        about=f"log:input:{first_event.word('name')}",
    )
