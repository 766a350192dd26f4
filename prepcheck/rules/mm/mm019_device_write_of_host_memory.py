"""RGA copies from or to memory of malloc on a chip without an address translation.

What it checks
    Whether a write `by: rga` on rv1103, rv1106 or their b forms has a source and a destination that are physically
    contiguous.

Why it matters
    RGA there has no MMU: memory of malloc makes the call fail or takes the driver down.

How it is computed
    `memory.kind: virtual` of the source or of the memory written.

Example
    A decoded picture in a malloc buffer as source of RGA on rv1106.

Fix
    Allocate both from the CMA heap (rk-dma-heap-cma) and pass their fds; sync the source after the CPU filled it.

Limits
    Calls of RGA with channels (imresize, improcess, …) have rules of their own.

References
    airockchip/librga#36; rknn_model_zoo, rv1106 branches of its examples.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM019",
    "device-write-of-host-memory",
    over="call:write",
    category="memory",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("runtime:M-13", "airockchip/librga#36"),
)
def check(rga_hosts: list[str], platform: str, where: str) -> Iterator[Finding]:
    if platform not in ZERO_COPY_ONLY:
        return
    for name in rga_hosts:
        yield Finding(
            "RGA on {platform} is given {memory}, which is memory of malloc.",
            "RGA of {platform} has no MMU: it needs physically contiguous memory on both sides. The call fails, or the driver does.",
            "Allocate {memory} from the CMA heap (rk-dma-heap-cma) and pass its fd; after the CPU fills it, dma_buf_sync "
            "to_device.",
            {"platform": platform, "memory": name, "link": "write -> memory"},
            about=f"{where}:{name}",
        )
