"""The GPU has no memory left.

What it checks
    `Alloc Buffer N error, code:C`.

Why it matters
    The session runs on without the tensor: later lines and the answer follow from this one.

How it is computed
    The number of bytes and the code.

Example
    805306368 bytes (768 MiB), code −61: more than one allocation may have.

Fix
    Smaller pictures, precision low (half the bytes), memory low; or the CPU.

Limits
    Code −61 is one allocation beyond CL_DEVICE_MAX_MEM_ALLOC_SIZE, −4 memory that is used up.

References
    MNN OpenCL backend; CL/cl.h.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN302",
    "log-buffer-alloc",
    over="log:mnn_buffer_alloc",
    category="memory",
    rank=Rank.MEMORY,
    sources=("MNN OpenCL backend", "CL/cl.h"),
    scope="device",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    count = first_event.number("bytes") or 0
    code = first_event.number("code")
    yield Finding(
        "{bytes} bytes ({mib:.4g} MiB) of GPU memory could not be had (code {code}).",
        "The lines after it and the answer follow from this one; the input is not the cause."
        + (" Code −61: more in one piece than the driver gives." if code == -61 else ""),
        "Use smaller pictures or precision low, which stores half the bytes; or run this network on the CPU.",
        {"bytes": count, "mib": count / 2**20, "code": code},
    )
