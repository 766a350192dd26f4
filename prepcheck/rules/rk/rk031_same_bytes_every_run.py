"""Every run got the same bytes, although they were handed over anew.

What it checks
    Whether the input of all runs of a record has one content, while the program hands it over for every run.

Why it matters
    The usual reason is that one buffer is filled by the camera and another one is submitted: the answers never change.

How it is computed
    Hashes of the inputs before each run, in records; rknn_inputs_set (or a write into the bound memory) for each.

Example
    Five runs, five rknn_inputs_set, one hash.

Fix
    Compare the pointer that the decoder fills with the one that is submitted.

Limits
    A camera that looks at a wall, or one picture given many times on purpose, looks the same: a warning.

References
    Arithmetic on the record.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import Call, RgaOperation, RknnInputsSet, Write
from prepcheck.facts.runs import hashed_runs
from prepcheck.registry import Finding, Rank, rule

ENOUGH = 3
"""Runs with one content before it is worth a word. A choice."""


@rule(
    "RK031",
    "same-bytes-every-run",
    over="plan",
    category="stale_buffer",
    severity="warning",
    rank=Rank.CONTENT,
    runtimes=("rknn", "rknn1"),
    sources=("arithmetic on the record",),
    confidence="L",
)
def check(calls: list[Call]) -> Iterator[Finding]:
    runs = hashed_runs(calls)
    if len(runs) < ENOUGH or len({r.inputs for r in runs}) > 1:
        return
    given = sum(_hands_over(c) for c in calls)
    if given < len(runs):
        return
    yield Finding(
        "All {runs} runs got the same bytes ({hash}), although the input was handed over {given} times.",
        "Where the pictures differ, another buffer is filled than the one that is submitted, or the copy into it fails.",
        "Print the address that the decoder (or RGA) writes and the one that is submitted. If one picture was given on purpose, "
        "there is nothing to mend.",
        {"runs": len(runs), "given": given, "hash": runs[0].inputs},
        where=f"calls[{runs[-1].call}]", about="inputs",
    )  # fmt: skip


def _hands_over(call: Call) -> bool:
    if isinstance(call, RgaOperation):
        return call.ret is None or call.ret > 0
    if isinstance(call, RknnInputsSet):
        return call.ret is None or call.ret >= 0
    return isinstance(call, Write) and call.by is not None
