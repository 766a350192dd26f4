"""A dma heap that is not there, or is used up.

What it checks
    `open /dev/dma_heap/… fail!`, `DMA_HEAP_ALLOC_BUFFER failed`.

Why it matters
    No buffer is made; a program that goes on aborts.

How it is computed
    Read off the line.

Example
    system-uncached-dma32 on a kernel of 4.19 or a mainline one.

Fix
    A heap that `ls /dev/dma_heap` shows; give buffers back.

Limits
    None known.

References
    HyperInspire/InspireFace#210; airockchip/librga#125; Joshua-Riek/ubuntu-rockchip#1133; rga:R-M03
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG319",
    "log-heap",
    over="logbook",
    category="memory",
    severity="error",
    rank=Rank.MEMORY,
    sources=(
        "HyperInspire/InspireFace#210",
        "airockchip/librga#125",
        "rga:R-M03",
    ),
    confidence="H",
    scope="device",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("heap_open")[:1]:
        yield Finding(
            "{path} cannot be opened: this kernel has no such heap (or this user may not use it).",
            "Which heaps exist depends on the kernel: vendor kernels from 5.10 on have the dma32 ones, older and mainline-like ones do not. What fails "
            "after this line follows from it.",
            "Choose a heap that `ls /dev/dma_heap /dev/rk_dma_heap` shows (below 4 GiB for RGA2: a dma32 or cma one), or take DRM buffers.",
            {"path": event.word("path")},
            where=event.where,
            about="log:rga",
        )
    for event in book.firsts("heap_alloc")[:1]:
        yield Finding(
            "The dma heap gave no buffer.",
            "It is used up: buffers are made for every frame and given back late or never.",
            "Make a few buffers once and use them in turn; close every fd and unmap it.",
            {},
            where=event.where,
            about="log:rga",
        )
