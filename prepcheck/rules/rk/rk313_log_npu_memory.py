"""The driver could not get memory for the NPU.

What it checks
    `failed to malloc npu memory!, size: N`, `rknn_create_mem, invalid size: 0`, `failed to import device mem`.

Why it matters
    The model or a buffer is not made; a program that goes on crashes.

How it is computed
    The size is rounded up to pages of 4096 bytes and compared with what the kernel says.

Example
    6421360 bytes = 1568 pages = 6422528 bytes, which the kernel's line names too.

Fix
    More CMA, or an IOMMU for the NPU in the device tree; a smaller model; free what is not used.

Limits
    None known.

References
    rockchip-linux/rknn-toolkit2#218; measured: librknnmrt 2.3.2 under emulation; runtime:Z-16, runtime:Z-17
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK313",
    "log-npu-memory",
    over="logbook",
    category="memory",
    severity="error",
    rank=Rank.CONTRACT,
    sources=(
        "rockchip-linux/rknn-toolkit2#218",
        "runtime:Z-16",
        "runtime:Z-17",
    ),
    confidence="H",
    scope="device",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("npu_malloc"):
        size = event.number("size") or 0
        pages = -(-size // 4096)
        told = [e.number("size") or e.number("size2") for e in book.all("npu_swiotlb", "rga_swiotlb")]
        yield Finding(
            "The NPU driver could not get {size} bytes of memory.",
            "{size} bytes are {pages} pages of 4096, {rounded} bytes"
            + ("; the kernel names the same number where its bounce buffer is full." if pages * 4096 in told else ".")
            + " The device ran out of memory that the NPU can reach (CMA, or no IOMMU in use); the size of the input is not the matter. A "
            "crash after this line follows from it.",
            "Give the kernel more CMA (cma=… on its command line), enable the NPU's IOMMU in the device tree, or use a smaller model; "
            "check that contexts and memory of earlier runs are destroyed.",
            {"size": size, "pages": pages, "rounded": pages * 4096},
            where=event.where,
            about="log:init",
        )
    for event in book.firsts("create_mem_zero"):
        yield Finding(
            "rknn_create_mem was asked for {size} bytes.",
            "The size comes from an attribute that was never filled: the query before it failed, or asked another struct.",
            "Check the code of rknn_query, and pass attr.size_with_stride.",
            {"size": event.number("size")},
            where=event.where,
            about="log:init",
            scope="input",
        )
    for event in book.firsts("fd_import"):
        yield Finding(
            "The memory given with rknn_create_mem_from_{how} cannot be imported.",
            "The number is no dma-buf of this process (a file, a socket, or one that was closed), or the address is not the NPU's.",
            "Pass the fd of a dma-buf (from a dma heap, MPP or DRM); virt_addr is where that fd begins, without the offset.",
            {"how": event.word("how")},
            where=event.where,
            about="log:init",
            scope="input",
        )
