"""A number that is no dma-buf was given as fd, or it cannot be mapped.

What it checks
    `dma_buf_get fail fd[N]`, `Failed to map attachment`, `src handle error 0`, `failed to get vma`, `failed to get
    pte`.

Why it matters
    The import or the job fails, nothing is converted.

How it is computed
    Read off the line.

Example
    fd 3 that is an open file; a pointer that was freed.

Fix
    Pass the fd of a dma-buf that is still open; check `readlink /proc/PID/fd/N`.

Limits
    None known.

References
    rockchip-linux/mpp#710; airockchip/librga#138, #141; rga:R-M10, rga:R-M11, rga:R-M04
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG313",
    "log-fd-no-dma-buf",
    over="logbook",
    category="memory",
    severity="error",
    rank=Rank.MEMORY,
    sources=(
        "rockchip-linux/mpp#710",
        "airockchip/librga#138",
        "rga:R-M10",
        "rga:R-M11",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("rga_fd")[:1]:
        yield Finding(
            "fd {fd} is no dma-buf of this process.",
            "It is a file, a socket, stdio, or a buffer that was closed already. Nothing was written.",
            "Pass the fd that the heap, MPP or rknn_create_mem gave, and keep it open; `readlink /proc/PID/fd/{fd}` has to show a dmabuf.",
            {"fd": event.number("fd")},
            where=event.where,
            about="log:rga",
        )
    for event in book.firsts("rga_pages")[:1]:
        yield Finding(
            "A virtual address is not mapped: it was freed, or is none of this process.",
            "RGA looks the pages up when the job runs, so the buffer has to live until it ends. Nothing was written.",
            "Keep the buffer until the job is done (imsync for asynchronous ones), and check pointer and size.",
            {},
            where=event.where,
            about="log:rga",
        )
    for event in book.firsts("rga_attach")[:1]:
        yield Finding(
            "A dma-buf cannot be mapped for RGA (code {ret}).",
            "Reported causes: the bounce buffer (swiotlb) is full because the memory lies above 4 GiB or is one piece of more than 256 KiB, or too "
            "many buffers are imported and never released.",
            "Look at dmesg for swiotlb; take memory below 4 GiB; call releasebuffer_handle for every handle.",
            {"ret": event.number("ret")},
            where=event.where,
            about="log:rga",
            confidence=0.8,
        )
    for event in book.firsts("rga_handle")[:1]:
        yield Finding(
            "Importing the {side} buffer gave no handle ({h}).",
            "fd or address are not usable for RGA; the conversion did not run, and without a CPU path the input keeps its old content.",
            "See the kernel's log for the reason: not contiguous, above 4 GiB, no dma-buf, or shorter than stride, height and format need.",
            {"side": event.word("side"), "h": event.number("h")},
            where=event.where,
            about="log:rga",
        )
