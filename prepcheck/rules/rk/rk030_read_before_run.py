"""The answer is read before the first run.

What it checks
    Whether rknn_outputs_get comes before any rknn_run.

Why it matters
    It returns 0 and whatever the output memory holds: the first answer has nothing to do with the first picture, and looks
    like "the first run is wrong, the second right".

How it is computed
    Order of the calls.

Example
    rknn_inputs_set, rknn_outputs_get, rknn_run.

Fix
    rknn_inputs_set, rknn_run, rknn_outputs_get.

Limits
    Only the first one is looked at. Asynchronous modes have a frame of delay on purpose.

References
    Measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import Call, RknnInit, RknnOutputsGet, RknnRun
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK030",
    "answer-before-run",
    over="plan",
    category="determinism",
    severity="warning",
    rank=Rank.CALL,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:G-14", "runtime:B-04", "measured: librknnrt 1.5.2 under emulation"),
)
def check(calls: list[Call]) -> Iterator[Finding]:
    for at, call in enumerate(calls):
        if isinstance(call, RknnRun) or (isinstance(call, RknnInit) and "ASYNC_MASK" in call.flags):
            return
        if isinstance(call, RknnOutputsGet):
            yield Finding(
                "rknn_outputs_get at calls[{at}] comes before the first rknn_run.",
                "It returns 0 and what the output memory happens to hold, so the first answer belongs to no picture.",
                "Call rknn_run between giving the input and reading the answer.",
                {"at": at},
                where=f"calls[{at}]",
                about="outputs",
            )
            return
