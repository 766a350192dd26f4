"""Scattered memory on a chip whose RGA has no MMU.

What it checks
    Whether memory for the RGA of RV1103, RV1106, RV1103B and RK3506 is physically contiguous.

Why it matters
    The driver refuses ("cannot support physically discontinuous virtual address"); older ones crash the kernel.

How it is computed
    malloc'ed memory and the system heaps are made of single pages; CMA heaps, memory of rknn_create_mem and
    physical addresses are contiguous.

Example
    A malloc'ed NV12 frame on rv1106.

Fix
    Allocate from /dev/rk_dma_heap/rk-dma-heap-cma, or use the fd of rknn_create_mem.

Limits
    Memory of an unknown heap is not judged.

References
    RGA developer guide, design index (no IOMMU on RV1106/1103). LuckfoxTECH/luckfox-pico#238, #358;
    airockchip/librga#36, #97.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.rga_memory import Store
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG021",
    "needs-contiguous-memory",
    over="rgachannel",
    category="memory",
    rank=Rank.MEMORY,
    sources=("rga:R-M02", "rga:R-M03", "LuckfoxTECH/luckfox-pico#238"),
)
def check(contiguous: bool, store: Store, operation: str, side: str, chip_name: str) -> Iterator[Finding]:
    if contiguous:
        return
    kind = "ordinary virtual memory" if store.kind == "virtual" else "memory of the heap " + (store.heap or "system")
    yield Finding(
        "{operation}'s {side} is {kind}; the RGA of {chip} has no MMU and needs contiguous memory.",
        "Pages of such memory lie scattered, and without an MMU the core takes one physical address and counts on. "
        "The driver "
        'refuses it ("physically discontinuous").',
        "Allocate it from /dev/rk_dma_heap/rk-dma-heap-cma, or use the fd of rknn_create_mem; pass the fd.",
        {"operation": operation, "side": side, "kind": kind, "chip": chip_name},
    )
