"""A run before an input was ever written.

What it checks
    Whether every input is written before each runSession.

Why it matters
    runSession returns 0 on uninitialised memory. The answers are absurd (1e34) or, where the memory was used before,
    plausible and unrelated to any picture.

How it is computed
    Inputs of the model, less those that a copy, a convert or a write through host() names before the run.

Example
    A tracker with `template` and `search`: only `search` is copied before the first run.

Fix
    Write every input before every run.

Limits
    A plan that tells nothing about inputs is not judged; a record is.

References
    Measured: MNN 3.6.1: code 0 and values around 1e34.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_walk import InputState
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN008",
    "never-written",
    over="mnn_run",
    category="stale_buffer",
    rank=Rank.MEMORY,
    runtimes=("mnn",),
    sources=("mnn:T26", "mnn:T20", "measured: MNN 3.6.1"),
)
def check(inputs: list[tuple[int, str, InputState]], index: int) -> Iterator[Finding]:
    for position, label, state in inputs:
        if state.written is not None or state.lost is not None:
            continue
        yield Finding(
            "runSession at calls[{run}] comes before {label} (inputs[{position}]) was written.",
            "It returns 0 all the same and computes on what the memory happens to hold: values like 1e34, or an older picture."
            + (" The fromNumpy at calls[{noop}] wrote nothing." if state.noop is not None else ""),
            "Copy into {label} before the run, and again before every later run.",
            {"run": index, "label": label, "position": position, "noop": state.noop},
            about=f"inputs[{position}]",
        )
