"""An RGA without MMU was given memory that is not contiguous.

What it checks
    `cannot support physically discontinuous virtual address!` of RV1103, RV1106, RV1103B, RK3506.

Why it matters
    The import fails (an old driver crashes), nothing is converted.

How it is computed
    Read off the line.

Example
    malloc memory on an RV1106.

Fix
    Buffers from /dev/rk_dma_heap/rk-dma-heap-cma, or the fd of rknn_create_mem.

Limits
    None known.

References
    LuckfoxTECH/luckfox-pico#238, #358; airockchip/librga#36, #97; rga:R-M02
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG312",
    "log-not-contiguous",
    over="log:rga_contig",
    category="memory",
    severity="error",
    rank=Rank.MEMORY,
    sources=(
        "LuckfoxTECH/luckfox-pico#238",
        "airockchip/librga#36",
        "rga:R-M02",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    yield Finding(
        "This RGA has no MMU: it takes physically contiguous memory only, and was given a virtual address of scattered pages.",
        "Memory of malloc, new, std::vector or cv::Mat is scattered. The import fails (old drivers crash), and nothing is written.",
        "Take source and destination from the CMA heap (/dev/rk_dma_heap/rk-dma-heap-cma) and pass their fd, or use the fd of "
        "rknn_create_mem; after the CPU has filled the source, sync it to the device.",
        {},
        about="log:rga",
    )
