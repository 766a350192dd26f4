"""Imports on chips whose systems often have the old driver.

What it checks
    Whether a program imports buffers on RV1109, RV1126 or RK3399.

Why it matters
    Handles need the multi-core driver; with the old one importbuffer fails ("unknown ioctl cmd",
    "RGA_IOC_IMPORT_BUFFER fail").

How it is computed
    The chip and the first import call.

Example
    importbuffer_fd on rv1126.

Fix
    `cat /sys/kernel/debug/rkrga/driver_version` should say "multicore"; else use wrapbuffer_fd or
    wrapbuffer_virtualaddr.

Limits
    An info: newer systems of these chips have the new driver.

References
    rockchip-linux/mpp#710; airockchip/librga#53.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule

OLD = frozenset({"rv1109", "rv1126", "rk3399", "rk3399pro"})
"""Source: rockchip-linux/mpp#710, airockchip/librga#53."""


@rule(
    "RG045",
    "handles-on-old-drivers",
    over="rgachannel",
    category="version",
    severity="info",
    rank=Rank.CALL,
    sources=("rga:R-B08", "rga:Z-17", "rockchip-linux/mpp#710"),
)
def check(first_import: bool, platform: str, operation: str) -> Iterator[Finding]:
    if not first_import or platform not in OLD:
        return
    yield Finding(
        "{operation} needs the multi-core RGA driver; systems for {platform} often have the old one.",
        'The old driver knows no import: "rga2: unknown ioctl cmd!", "RGA_IOC_IMPORT_BUFFER fail".',
        'Check /sys/kernel/debug/rkrga/driver_version ("multicore"); if it is the old one, use wrapbuffer_fd.',
        {"operation": operation, "platform": platform},
        severity="info",
    )
