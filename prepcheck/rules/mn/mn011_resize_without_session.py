"""resizeTensor without resizeSession.

What it checks
    Whether a resizeTensor with other sizes is followed by resizeSession before the input is written or the session runs.

Why it matters
    The tensor says the new sizes while its memory is still the old one: a copy of the larger picture writes beyond it, and
    runSession returns 3 and prints "Can't run session because not resized".

How it is computed
    The order of the calls; sizes that the tensor has already count as none.

Example
    1x3x192x192 → 1x3x256x256: 786432 bytes are copied into memory of 442368.

Fix
    Call resizeSession after the last resizeTensor, then fetch tensors and views again, then write.

Limits
    None known.

References
    Measured: MNN 3.6.1: code 3, heap corruption where the new size is larger.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from prepcheck.facts.mnn_walk import InputState
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN011",
    "resize-without-session",
    over="mnn_run",
    category="session_config",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:T8", "measured: MNN 3.6.1"),
)
def check(
    inputs: list[tuple[int, str, InputState]], index: int, file_shapes: list[tuple[list[int], int]]
) -> Iterator[Finding]:
    for position, label, state in inputs:
        if state.pending is None or state.shape is None:
            continue
        old, width = file_shapes[position]
        values: dict[str, Value] = {
            "label": label, "resize": state.pending, "run": index, "new": state.shape, "old": tuple(old), "write": state.written,
        }  # fmt: skip
        beyond = state.written is not None and state.written > state.pending and all(d > 0 for d in old)
        if beyond:
            values |= {"new_bytes": prod(state.shape) * width, "old_bytes": prod(old) * width}
        yield Finding(
            "{label} is resized to {new} at calls[{resize}], and no resizeSession follows before the run at calls[{run}].",
            'runSession returns 3 ("Can\'t run session because not resized"); the memory is still that of {old}.'
            + (" The write at calls[{write}] puts {new_bytes} bytes into {old_bytes}." if beyond else ""),
            "Call resizeSession after the last resizeTensor, and write {label} after that.",
            values,
            where=f"calls[{state.pending}]",
            about=f"inputs[{position}]",
        )
