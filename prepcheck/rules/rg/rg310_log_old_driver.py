"""The RGA driver of the kernel is older than librga expects.

What it checks
    `RGA_IOC_IMPORT_BUFFER fail`, `librga fail to get driver version! Compatibility mode`, `unknown ioctl cmd`,
    `cannot get current mm`, `Fix it please enable iommu flag`.

Why it matters
    Handles cannot be made (they are -1), and jobs with them do nothing.

How it is computed
    Read off the lines; where the kernel names another reason for the failed import, that one counts.

Example
    RV1109 with the single-core driver and librga 1.10.

Fix
    wrapbuffer_fd or wrapbuffer_virtualaddr instead of handles, or the multi_rga driver 1.2.4 and later.

Limits
    Compatibility mode alone is a warning: much still works.

References
    airockchip/librga#53, #37; rockchip-linux/mpp#710, #153; airockchip/rknn_model_zoo#55; rga:R-B08, rga:R-B09
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG310",
    "log-old-driver",
    over="logbook",
    category="version",
    severity="error",
    rank=Rank.CALL,
    sources=(
        "airockchip/librga#53",
        "airockchip/librga#37",
        "rga:R-B08",
        "rga:R-B09",
    ),
    confidence="H",
    scope="device",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("rga_old_ioctl", "rga_iommu_flag", "rga_mm_gone")[:1]:
        yield Finding(
            "The RGA driver of this kernel does not understand the library's calls.",
            "An old single-core driver (or one before 1.2.25) meets a newer librga; nothing was written.",
            "Use wrapbuffer_fd or wrapbuffer_virtualaddr (no handles) with librga's older calls, or a kernel with the multi_rga driver 1.2.25 or "
            "later.",
            {},
            where=event.where,
            about="log:rga",
        )
    refused = book.firsts("rga_import")[:1]
    better = book.first("rga_contig", "rga_mmu4g", "rga_fd", "rga_attach", "rga_pages", "rga_short")
    for event in refused:
        if better is not None:
            continue
        compat = book.first("rga_compat", "rga_old_ioctl") is not None
        yield Finding(
            "The driver refused to import the buffer"
            + (" ({reason})." if event.word("e") else ".")
            + (" It is older than librga expects." if compat else ""),
            "importbuffer_… returns -1, seen through its unsigned type as 0xffffffff: tests for 0 or <= 0 do not catch it. Jobs with that handle "
            "do nothing, and some report success.",
            "Use wrapbuffer_fd or wrapbuffer_virtualaddr without handles on this driver, or update it to multi_rga 1.2.4 or later; otherwise look "
            "at dmesg for the reason (not contiguous, no dma-buf, too short).",
            {"reason": event.word("e")},
            where=event.where,
            about="log:rga",
            category="version" if compat else "memory",
        )
    if not refused and book.first("rga_old_ioctl") is None:
        for event in book.firsts("rga_compat")[:1]:
            yield Finding(
                "librga runs in compatibility mode: the kernel's RGA driver is older than it expects.",
                "Conversions by address and fd usually work; handles (importbuffer_…) may not.",
                "Update the driver, or avoid handles.",
                {},
                where=event.where,
                about="log:rga:compat",
                severity="warning",
            )
    for event in book.firsts("rga_open")[:1]:
        yield Finding(
            "The RGA device cannot be opened: {reason}.",
            "The kernel has no RGA driver, or this user may not open /dev/rga. Nothing was converted.",
            "Check `ls -l /dev/rga`; enable the driver, or convert with the CPU.",
            {"reason": event.word("e")},
            where=event.where,
            about="log:rga",
            category="other",
        )
