"""A new picture was written somewhere else; the bound memory still has the old one.

What it checks
    Whether the memory of an input is written between two runs when other memory is.

Why it matters
    The second run sees the first picture again: the answers lag or never change.

How it is computed
    Writes between the two runs: some, but none into the memory that the run reads.

Example
    Frame 2 is decoded into its buffer and rknn_run is called without converting it into the bound memory.

Fix
    Copy or convert every frame into the bound memory; or bind the memory that has the new frame.

Limits
    Runs without any write in between (timing loops) are not reported. Decoding the next frame ahead is fine as long as the
    bound memory is written too.

References
    Arithmetic on the calls.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.flow import Binding, WriteEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM012",
    "old-frame-bound",
    over="bound",
    category="stale_buffer",
    rank=Rank.MEMORY,
    runtimes=("rknn", "rknn1"),
    sources=("arithmetic on the calls",),
    confidence="M",
)
def check(
    write: WriteEvent, binding: Binding, previous_run: int, written_elsewhere_since_run: list[tuple[str, int]], label: str,
    name_of_memory: str, run_call: int,
) -> Iterator[Finding]:  # fmt: skip
    if write.call > previous_run or binding.call > previous_run or not written_elsewhere_since_run:
        return
    other, at = written_elsewhere_since_run[-1]
    yield Finding(
        "rknn_run at calls[{run}] reads {memory}, last written at calls[{old}]; the new picture went to {other} at calls[{at}].",
        "Nothing was written into the memory bound to {label} since the run at calls[{previous}]: the NPU sees that picture again.",
        "Convert or copy {other} into {memory} before the run, or bind {other}.",
        {
            "run": run_call, "memory": name_of_memory, "old": write.call, "other": other, "at": at, "label": label,
            "previous": previous_run, "link": "write -> memory",
        },
    )  # fmt: skip
