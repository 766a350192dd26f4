"""The input was written before the session was resized: the content is gone.

What it checks
    Whether a resizeSession that has something to do comes between the write of an input and the run.

Why it matters
    The session gets new memory for every tensor. What was written lies in the old one.

How it is computed
    A resizeTensor with other sizes, then resizeSession, after the last write of an input. A resizeTensor with the sizes
    that the tensor has changes nothing, and neither does resizeSession then.

Example
    copyFromHostTensor, resizeTensor, resizeSession, runSession: values of 1e27.

Fix
    resizeTensor, resizeSession, then fetch the tensors again (getSessionInput) and write.

Limits
    None known.

References
    Measured: MNN 3.6.1 (write, resize to another size and back: content lost).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_walk import InputState
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN010",
    "written-before-resize",
    over="mnn_run",
    category="stale_buffer",
    rank=Rank.MEMORY,
    runtimes=("mnn",),
    sources=("mnn:T9", "measured: MNN 3.6.1"),
)
def check(inputs: list[tuple[int, str, InputState]], index: int) -> Iterator[Finding]:
    for position, label, state in inputs:
        if state.written is not None or state.lost != "resize":
            continue
        yield Finding(
            "{label} was written at calls[{earlier}], before resizeSession at calls[{by}]; it is not written again before the run at "
            "calls[{run}].",
            "resizeSession gives every tensor new memory. What was written lies in the old one; the run reads uninitialised values.",
            "Write {label} after resizeSession, into the tensor that getSessionInput gives then.",
            {"label": label, "earlier": state.earlier, "by": state.by, "run": index, "position": position},
            about=f"inputs[{position}]",
        )
