"""RGA hung or gave an error while it worked.

What it checks
    `wait N task done timeout`, `hardware has finished, but the software has timeout`, `err irq`.

Why it matters
    The destination is half written or old.

How it is computed
    Read off the line.

Example
    A buffer shorter than stride · height · bytes a pixel.

Fix
    Compare the buffer's length with wstride·hstride·bytes a pixel; look at the clock and at other users of RGA.

Limits
    The line does not say why.

References
    airockchip/librga#31; RGA FAQ Q4.8; rga:R-B04
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG315",
    "log-job-hung",
    over="log:rga_timeout",
    category="memory",
    severity="error",
    rank=Rank.MEMORY,
    sources=(
        "airockchip/librga#31",
        "rga:R-B04",
    ),
    confidence="M",
    scope="cannot_tell",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    yield Finding(
        "RGA did not finish a job.",
        "Most often the buffer is shorter than the job reads or writes (wstride · hstride · bytes a pixel, chroma planes included); else a clock "
        "or a load that is too high.",
        "Compute that number for both buffers and compare it with what was allocated; run the job alone.",
        {},
        about="log:rga",
    )
