"""A size that no core allowed works on.

What it checks
    Whether source and destination (their rectangles, where given) are within the smallest and largest sizes of a
    core that may run the job.

Why it matters
    librga refuses the call ("…resolution more than…"), or the driver finds no core.

How it is computed
    Each side against the core's input and output limits: RGA2 writes up to 4096, RGA3 reads up to 8176 and writes
    up to 8128 and needs a width of 68.

Example
    An output of 5120x2880 on rk3568: 5120 > 4096.

Fix
    Work in tiles, scale in two steps, or leave the core to the driver.

Limits
    None.

References
    RGA developer guide, design index. Kernel driver rga_hw_config.c.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Verdict
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG015",
    "size-limit",
    over="rga",
    category="size",
    rank=Rank.CALL,
    sources=("rga:R-C02", "RGA developer guide, design index"),
)
def check(found: Verdict, all_cores: Verdict, operation: str, chip_name: str) -> Iterator[Finding]:
    blocked = found.common("small", "large")
    if not blocked:
        return
    best = max(blocked, key=lambda o: o.limit) if blocked[0].kind == "large" else min(blocked, key=lambda o: o.limit)
    others = [core.name for core in all_cores.able if core not in found.cores]
    yield Finding(
        "{operation}'s {side} has a {axis} of {got}; {core} of {chip} works {bound} {limit}.",
        "By core: {why}." + (" {others} could, but the job is pinned." if others else " No core of the chip can."),
        "Leave the core to the driver (no imconfig)." if others else "Work on tiles, or on a size within the limit.",
        {
            "operation": operation, "side": best.side_name, "axis": best.axis, "got": best.got, "limit": best.limit,
            "core": best.core.name, "bound": "up to" if best.kind == "large" else "from", "chip": chip_name,
            "why": ", ".join(o.short for o in blocked), "others": ", ".join(others),
        },
    )  # fmt: skip
