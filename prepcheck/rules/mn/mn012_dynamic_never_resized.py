"""The model has a dynamic axis and no resizeTensor gives it a size.

What it checks
    Whether an input with −1 beyond the batch axis gets a size before the run.

Why it matters
    The session has no memory for it: copyFromHostTensor returns false and copies nothing, runSession returns 3 ("Can't run
    session because not resized").

How it is computed
    −1 in the file's shape, and the calls. A batch of −1 is run as 1 (old files write it so).

Example
    [1, 3, -1, -1] and a copy of 1x3x480x640 without resizeTensor.

Fix
    resizeTensor(input, {1, 3, 480, 640}) and resizeSession before the first copy.

Limits
    None known.

References
    Measured: MNN 3.6.1; source of InitNet (batch of −1).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_walk import InputState
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN012",
    "dynamic-never-resized",
    over="mnn_run",
    category="session_config",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:T7", "mnn:F4", "measured: MNN 3.6.1"),
)
def check(
    inputs: list[tuple[int, str, InputState]], index: int, file_shapes: list[tuple[list[int], int]]
) -> Iterator[Finding]:
    for position, label, state in inputs:
        shape = file_shapes[position][0]
        if state.shape is not None or all(d > 0 for d in shape[1:]):
            continue
        yield Finding(
            "{label} is {shape} in the file and gets no size before the run at calls[{run}].",
            'An axis of −1 has no memory: copies return false, and runSession returns 3 ("Can\'t run session because not resized").',
            "Call resizeTensor with all sizes and resizeSession before the first copy.",
            {"label": label, "shape": tuple(shape), "run": index},
            about=f"inputs[{position}]",
        )
