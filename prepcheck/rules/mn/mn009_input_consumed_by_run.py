"""An input was written once and the session runs again: its memory was reused inside.

What it checks
    Whether every input is written again after a runSession before the next one.

Why it matters
    MNN plans the memory of a whole run and gives that of the inputs to later layers. After a run the input holds other
    values; a second run on them gives another answer for the same picture. A template that is "set once" is lost too.

How it is computed
    For each run: the last write of each input, and whether a run came after it.

Example
    copyFromHostTensor, runSession, runSession: one output of the second run is 0.3061, of the first 0.5209.

Fix
    Copy every input before every run, the ones that did not change too (templates, masks, sizes).

Limits
    Networks of a single layer keep their input by chance.

References
    Measured: MNN 3.6.1 for five of seven small networks, session modes 1, 2 and 11; alibaba/MNN#861.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_walk import InputState
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN009",
    "input-consumed-by-run",
    over="mnn_run",
    category="stale_buffer",
    rank=Rank.MEMORY,
    runtimes=("mnn",),
    sources=("mnn:T4", "measured: MNN 3.6.1", "alibaba/MNN#861"),
)
def check(inputs: list[tuple[int, str, InputState]], index: int, ordinal: int) -> Iterator[Finding]:
    for position, label, state in inputs:
        if state.written is not None or state.lost != "run":
            continue
        yield Finding(
            "Run {number} (calls[{run}]) uses {label} as the run before left it: it was written at calls[{earlier}] and not again.",
            "runSession at calls[{by}] gave the input's memory to later layers of the network; what stands there now are their values. "
            "The same picture gives another answer.",
            "Copy {label} before every run, also where its content does not change.",
            {
                "number": ordinal + 1, "run": index, "label": label, "earlier": state.earlier, "by": state.by,
                "position": position,
            },
            about=f"inputs[{position}]",
        )  # fmt: skip
