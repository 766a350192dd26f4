"""A quarter turn of YUV 4:2:2 is pinned to RGA3.

What it checks
    Whether a rotation by 90 or 270 degrees of a 4:2:2 picture may run on a core that can do it.

Why it matters
    RGA3 cannot; the driver finds no core.

How it is computed
    imrotate whose destination has width and height exchanged, a 4:2:2 format (semi-planar or packed), and the
    pinned core.

Example
    YCbCr_422_SP 640x480 to 480x640 with core: rga3.

Fix
    Leave the core to the driver (RGA2 can), or turn after converting to YCbCr_420_SP or RGB.

Limits
    The angle is not part of a plan: squares, and turns by 180 degrees, are not judged. A quarter turn into a
    picture with the sides not exchanged stretches it, which the sizes alone do not tell.

References
    RGA developer guide; kernel driver rga3_reg_info.c.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Verdict
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG048",
    "turn-needs-rga2",
    over="rga",
    category="other",
    rank=Rank.CALL,
    sources=("rga:R-C06", "kernel driver rga3_reg_info.c"),
)
def check(found: Verdict, operation: str, chip_name: str) -> Iterator[Finding]:
    first = next(iter(found.common("turn")), None)
    if first is None:
        return
    yield Finding(
        "{operation} turns {format} by 90 degrees and is pinned to {core}, which cannot.",
        "4:2:2 pictures are turned by RGA2 only; on {chip} that core reaches the first 4 GiB of memory.",
        "Leave the core to the driver, or convert to YCbCr_420_SP or RGB first.",
        {"operation": operation, "format": first.format, "core": first.core.name, "chip": chip_name},
    )
