"""The NPU's driver is missing or too old.

What it checks
    `Mismatch driver version, require driver version >= A, you driver version: B`, `failed to open rknpu module`,
    `failed to open rknn device`.

Why it matters
    rknn_init fails; nothing runs.

How it is computed
    Read off the line.

Example
    Runtime 1.4 needs driver 0.7.2, the kernel has 0.4.2.

Fix
    A kernel of the board's vendor with a newer rknpu driver; access to /dev/dri/renderD129 or /dev/rknpu.

Limits
    None known.

References
    public logs of 1.2 to 2.3
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK311",
    "log-driver",
    over="logbook",
    category="version",
    severity="error",
    rank=Rank.CONTRACT,
    sources=("public logs of 1.2 to 2.3",),
    confidence="H",
    scope="device",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("driver_old"):
        yield Finding(
            "The NPU driver is {got}, the runtime wants {need} or later.",
            "The driver is a part of the kernel. Nothing ran: the input is not concerned.",
            "Update the kernel (or its rknpu module) to one with driver {need} or later, or use an older librknnrt.so.",
            {"got": event.word("got"), "need": event.word("need")},
            where=event.where,
            about="log:init",
        )
    for event in book.firsts("no_npu"):
        yield Finding(
            "The NPU's driver cannot be opened.",
            "The kernel has no rknpu driver, or this user may not open its device. Nothing ran: the input is not concerned.",
            "Check `ls /dev/rknpu /dev/dri` and `dmesg | grep -i rknpu`; run as root or join the groups video and render; load the module.",
            {},
            where=event.where,
            about="log:init",
            category="other",
        )
