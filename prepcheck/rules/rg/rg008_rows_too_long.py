"""Rows longer than the core can step.

What it checks
    Whether a row of the first plane has no more than 32768 bytes.

Why it matters
    The driver refuses the job: its registers hold no larger pitch.

How it is computed
    wstride x bytes of a pixel of the first plane, against the core's limit.

Example
    RGBA_8888 with wstride 8200: 8200 x 4 = 32800 > 32768.

Fix
    Use a narrower picture or a format with fewer bytes a pixel.

Limits
    None.

References
    Kernel driver rga_hw_config.c (max_byte_stride); RGA FAQ, hardware query.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Job, Verdict
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG008",
    "rows-too-long",
    over="rga",
    category="stride",
    rank=Rank.STRIDE,
    sources=("rga:R-A06", "RGA FAQ, hardware query"),
    confidence="M",
)
def check(found: Verdict, job: Job, operation: str, chip_name: str) -> Iterator[Finding]:
    first = next(iter(found.common("pitch")), None)
    if first is None:
        return
    surface = job.src if first.side == "src" else job.dst
    if surface is None:
        return
    yield Finding(
        "{operation}'s {side} has rows of {row} bytes; the RGA of {chip} steps by at most {limit}.",
        "{wstride} pixels of {format} take {row} bytes. The driver refuses the job.",
        "Use fewer pixels a row or a format with fewer bytes a pixel.",
        {
            "operation": operation, "side": first.side_name, "row": first.got, "limit": first.limit,
            "wstride": surface.wstride,
            "format": surface.format.name, "chip": chip_name,
        },
    )  # fmt: skip
