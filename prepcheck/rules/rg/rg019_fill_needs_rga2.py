"""A fill is pinned to RGA3.

What it checks
    Whether a colour fill may run on a core that can fill.

Why it matters
    RGA3 cannot: the driver finds no core. RGA2 can, with memory below 4 GiB on rk3588.

How it is computed
    The job's kind and the pinned core.

Example
    imfill with core: rga3.

Fix
    Leave the core to the driver and take memory from the dma32 heap, or paint with memset (and sync).

Limits
    None.

References
    RGA developer guide, design index; kernel driver rga_hw_config.c. airockchip/rknn_model_zoo#117, #302.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Verdict
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG019",
    "fill-needs-rga2",
    over="rga",
    category="other",
    rank=Rank.CALL,
    sources=("rga:R-C03", "rga:Z-09", "airockchip/rknn_model_zoo#302"),
)
def check(found: Verdict, operation: str, chip_name: str) -> Iterator[Finding]:
    if not found.common("fill"):
        return
    yield Finding(
        "{operation} is pinned to RGA3, which cannot fill.",
        "Colour fill exists on RGA2 only; on {chip} that core reaches the first 4 GiB of memory.",
        "Leave the core to the driver with memory of the dma32 heap, or paint the memory with the CPU and sync it.",
        {"operation": operation, "chip": chip_name},
    )
