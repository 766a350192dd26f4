"""The session was not resized, and the text does not say why.

What it checks
    `Can't run session because not resized` without the failure of an operator before it.

Why it matters
    runSession returned 3 and computed nothing; an answer that is read is an old one or none.

How it is computed
    The line alone.

Example
    resizeTensor without resizeSession.

Fix
    resizeSession after every resizeTensor, and before the first write; a model with −1 in its sizes needs both.

Limits
    Where an operator failed (Reshape error, Compute Shape Error) that line is the cause.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN309",
    "log-not-resized",
    over="log:mnn_not_resized",
    category="session_config",
    rank=Rank.CALL,
    sources=("mnn:T8", "mnn:T25", "measured: MNN 3.6.1"),
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    if first_event.label != "finding":
        return
    yield Finding(
        "runSession computed nothing (code 3): the session is not resized.",
        "resizeTensor only notes the new sizes; resizeSession plans the memory. A model with −1 in its sizes has none until then.",
        "Call resizeSession after the last resizeTensor, then fetch the input again, write it, and run.",
        {"code": 3},
        about="log:shape",
    )
