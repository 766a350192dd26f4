"""Every core lacks something else.

What it checks
    Whether one of the cores that may be chosen can do everything that the job asks for.

Why it matters
    A job is never split. librga's check works on the merged table of all cores and passes; the driver then finds
    none ("invalid function policy", "no core match", EINVAL).

How it is computed
    Format, size, scale, row length and fill of every core; reported where all cores fail and for different
    reasons.

Example
    I420 to 5120x2880 on rk3588: RGA3 has no I420, RGA2 writes up to 4096.

Fix
    Split the job: convert the format in one call and scale in the next.

Limits
    None.

References
    Kernel driver rga_policy.c; librga im2d_hardware.h (merged tables). airockchip/librga#143.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Verdict
from prepcheck.registry import Finding, Rank, rule

KINDS = (("format",), ("small", "large"), ("scale",), ("pitch",), ("fill",), ("turn",))
"""Obstacles that have rules of their own where all cores share them."""


@rule(
    "RG017",
    "no-core-for-all",
    over="rga",
    category="other",
    rank=Rank.CALL,
    sources=("rga:R-C03", "rga:R-C04", "kernel driver rga_policy.c"),
)
def check(found: Verdict, operation: str, chip_name: str) -> Iterator[Finding]:
    if found.able or any(found.common(*kinds) for kinds in KINDS):
        return
    yield Finding(
        "No core of {chip} can do all of this {operation}.",
        "By core: {why}. librga's own check looks at the merged abilities and passes; the driver refuses.",
        "Split it: change the format in one call, the size in another, each within one core.",
        {"operation": operation, "chip": chip_name, "why": ", ".join(o.short for why in found.obstacles for o in why)},
    )
