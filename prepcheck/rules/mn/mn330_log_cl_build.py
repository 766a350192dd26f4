"""A kernel could not be compiled for this GPU.

What it checks
    `Build program failed`, with the compiler's message.

Why it matters
    The layer that needs the kernel is not computed; the run returns 0 or crashes. It is a matter of MNN and the driver.

How it is computed
    The lines.

Example
    use of undeclared identifier 'inf': a ReLU6 with an infinite bound (alibaba/MNN#2743).

Fix
    A newer MNN; buffer memory (mode 65), which uses other kernels; the CPU for this network.

Limits
    None known.

References
    alibaba/MNN#2743.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN330",
    "log-cl-build",
    over="log:cl_build",
    category="version",
    rank=Rank.CONTRACT,
    sources=("alibaba/MNN#2743",),
    scope="device",
)
def check(first_event: LogEvent, book: LogBook) -> Iterator[Finding]:
    log = book.first("cl_build_log")
    yield Finding(
        "An OpenCL kernel could not be compiled for this GPU" + (": {log}" if log else "."),
        "The layer is not computed, and the answer is wrong or missing. MNN and the driver disagree; the input is not concerned.",
        "Use a newer MNN, try buffer memory (mode 65), which has other kernels, or run this network on the CPU; report the message.",
        {"log": (log.word("log") or "").strip() if log else None},
        about="log:cl_build",
    )
