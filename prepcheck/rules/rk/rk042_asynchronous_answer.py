"""Asynchronous mode: each answer belongs to the frame before.

What it checks
    Whether rknn_init got the flag for asynchronous mode.

Why it matters
    The answer that is read after a run is that of the run before. The first one belongs to no picture, and the same picture
    given twice seems to get two answers.

How it is computed
    Flags of rknn_init.

Example
    Run 1 of a picture differs from run 2; from then on all agree.

Fix
    Shift answers by one frame, or drop the flag.

Limits
    An info: the mode is meant to do this.

References
    rknn_api.h 1.7.5, RKNN_FLAG_ASYNC_MASK; User Guide RKNN Toolkit 1.7.5 (async_mode).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import Call, RknnInit
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK042",
    "asynchronous-answer",
    over="call:rknn_init",
    category="determinism",
    severity="info",
    rank=Rank.CONTENT,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:P-19", "rknn_api.h 1.7.5, RKNN_FLAG_ASYNC_MASK"),
)
def check(call: Call) -> Iterator[Finding]:
    assert isinstance(call, RknnInit)
    if "ASYNC_MASK" not in call.flags:
        return
    yield Finding(
        "rknn_init switches asynchronous mode on: the answer read after a run is that of the run before.",
        "The first answer belongs to no picture.",
        "Match answer k to picture k - 1, or drop RKNN_FLAG_ASYNC_MASK.",
        {},
    )
