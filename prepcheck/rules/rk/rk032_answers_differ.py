"""The same input bytes, different answers.

What it checks
    Whether two runs of a record with the same input content gave different answers.

Why it matters
    A network is a function: either the NPU does not read the bytes that were handed over (unbound or unsynced memory, bytes
    behind a batch), or the answer is read before it is there.

How it is computed
    Hashes of inputs and answers of a record.

Example
    Run 1 and run 2 of one picture differ, run 2 and run 3 agree: the first run worked on leftover memory.

Fix
    Run three times and compare per batch slot: slot 0 stable and others not = the batch is not filled; run 2 = run 3 but
    not run 1 = the first run had no input, or the mode is asynchronous.

Limits
    A warning; asynchronous mode has this on purpose, and models with random operators exist.

References
    Arithmetic on the record; trouble shooting guide of rknn-toolkit 1.7.5 (batch slots, asynchronous mode).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import Call
from prepcheck.facts.runs import hashed_runs
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK032",
    "answers-differ",
    over="plan",
    category="determinism",
    severity="warning",
    rank=Rank.CONTENT,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:B-04", "arithmetic on the record"),
    confidence="M",
    scope="cannot_tell",
)
def check(calls: list[Call]) -> Iterator[Finding]:
    runs = [r for r in hashed_runs(calls) if r.answer is not None]
    for i, first in enumerate(runs):
        other = next((r for r in runs[i + 1 :] if r.inputs == first.inputs and r.answer != first.answer), None)
        if other is None:
            continue
        yield Finding(
            "The runs at calls[{one}] and calls[{two}] got the same bytes ({hash}) and gave different answers.",
            "The network is a function of its input, so the NPU did not read these bytes in both runs, or the answer was read too "
            "early: input memory that is not bound or not synced, a batch of which only the first slot is filled, asynchronous "
            "mode.",
            "Run the picture three times and compare the answers per batch slot; fill the input with 0x00 and 0xFF in turn: equal "
            "answers mean that this memory is not what the NPU reads.",
            {"one": first.call, "two": other.call, "hash": first.inputs},
            where=f"calls[{other.call}]", about="outputs",
        )  # fmt: skip
        return
