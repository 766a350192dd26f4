"""An OpenCL call failed, and the line that says why is not in the text.

What it checks
    `CL ERROR CODE : N, info:X` without a failed allocation, build or driver before it.

Why it matters
    Most of these lines are follow-ups: the first one of the run names the cause. Alone they only say that a kernel did not get
    what it needs; the answer is not to be trusted.

How it is computed
    The codes of CL/cl.h.

Example
    −52, info:convertBufferToImage: a kernel ran without all its arguments.

Fix
    Look further up for `Alloc Image` or `Alloc Buffer`; try buffer memory (mode 65) and precision high, one at a time.

Limits
    A kernel or driver fault of the GPU cannot be told from a missing allocation by these lines.

References
    alibaba/MNN#1736 (Mali, precision low wrong, high right); CL/cl.h.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule

CODES = {
    -4: "memory could not be had", -5: "out of resources", -30: "invalid value", -38: "invalid memory object", -40: "invalid image size",
    -36: "invalid command queue", -45: "invalid program executable", -48: "invalid kernel", -1001: "no OpenCL platform (ICD) found", -50: "invalid argument value", -51: "invalid argument size", -52: "invalid kernel arguments",
    -54: "invalid work group size", -55: "invalid work item size", -59: "invalid operation", -61: "invalid buffer size",
}  # fmt: skip
"""Codes of OpenCL. Source: CL/cl.h."""


@rule(
    "MN305",
    "log-cl-error",
    over="log:cl_error",
    category="session_config",
    severity="warning",
    rank=Rank.VALUES,
    sources=("alibaba/MNN#1736", "CL/cl.h"),
    scope="device",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    if first_event.label != "finding":
        return
    code = first_event.number("code") or 0
    yield Finding(
        "OpenCL call {what} failed with {code} ({means}); what it follows from is not in these lines.",
        "Such lines come after an allocation that failed, or where the GPU lacks what a kernel needs. The run returns 0 and its answer is "
        "not to be trusted; the input has no part in it.",
        "Look for the first line of the run (Alloc Image, Alloc Buffer, build error). Then try mode 65 (buffer memory), and precision "
        "high, one at a time.",
        {"what": first_event.word("what") or "", "code": code, "means": CODES.get(code, "see CL/cl.h")},
        about="log:cl_error",
    )
