"""A buffer without any address: RGA does nothing.

What it checks
    `src has not fd and address for render`, `no address available in`, and dumps whose handle, fd, virtual and
    physical address are all 0.

Why it matters
    The call may still report success; the destination keeps its old content: the same answer for every picture.

How it is computed
    Read off the line and the dump.

Example
    buffer[handle,fd,va,pa] = [0, 0, 0, 0].

Fix
    Check what importbuffer_… returned (0 and 0xffffffff are failures) and wrap that handle; with handles, use them
    for all channels.

Limits
    None known.

References
    airockchip/librga#23, #30, #53; rga:R-B06, rga:R-B07
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.facts.rga_log import LoggedJob
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG308",
    "log-no-address",
    over="logbook",
    category="memory",
    severity="error",
    rank=Rank.MEMORY,
    sources=(
        "airockchip/librga#23",
        "airockchip/librga#30",
        "rga:R-B06",
        "rga:R-B07",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook, rga_jobs: list[LoggedJob]) -> Iterator[Finding]:
    events = book.firsts("rga_noaddr", "rga_noaddr2")
    old = book.first("rga_import")
    for event in events[:1]:
        yield Finding(
            "The {side} buffer has no address: handle, fd, virtual and physical address are all 0. RGA does nothing.",
            "The call can still report success, and the destination keeps what it held: an old frame, zeros, or a fill."
            + (" Importing it failed before (the line RGA_IOC_IMPORT_BUFFER fail)." if old is not None else ""),
            "Check the handle that importbuffer_… gave (0 and 0xffffffff, which is -1, are failures), pass it to wrapbuffer_handle, and use "
            "handles for all channels or for none.",
            {"side": event.word("side")},
            where=event.where,
            about="log:rga",
        )
    if events:
        return
    refused = book.first("rga_blit", "rga_request", "rga_call")
    for job in rga_jobs:
        side = next((c for c in (job.src, job.dst) if c is not None and c.memory == "none" and not c.empty), None)
        if side is not None and refused is not None:
            yield Finding(
                "The {side} buffer of the refused job has no address: handle, fd, virtual and physical address are all 0.",
                "RGA cannot reach it; nothing was written, and the destination keeps what it held.",
                "Check what importbuffer_… or wrapbuffer_… got for it.",
                {"side": side.side},
                where=f"log:{job.line}" if job.file == 0 else f"log{job.file + 1}:{job.line}",
                about="log:rga",
            )
            return
