"""A number is passed as another kind of address than it is.

What it checks
    Whether a file descriptor stands where a physical address is wanted, or the reverse, and whether each import
    call gets its kind.

Why it matters
    The driver maps whatever lies there: it fails ("dma_buf_get fail", EFAULT), or reads and writes foreign
    memory.

How it is computed
    A physical address of a buffer is a page of RAM, never below 65536; a pointer is never in the first page; a
    file descriptor is a small number. Descriptors 1 and 2 are the program's output streams.

Example
    importbuffer_physicaladdr(38): 38 is a file descriptor.

Fix
    fd: importbuffer_fd or wrapbuffer_fd. Pointer: importbuffer_virtualaddr. Physical address: only from an
    allocator that tells it.

Limits
    A small descriptor (3, 9) is normal and not reported.

References
    librga rga_set_buffer_info (order handle, physical, fd, virtual). rockchip-linux/mpp#641, #710.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.plain import Value
from prepcheck.registry import Finding, Rank, rule

LOWEST = 65536
"""No buffer lies below: descriptors do (a choice; the limit of open files is 1024 by default)."""
PAGE = 4096
"""No process has anything below (vm.mmap_min_addr)."""
MOST = 1 << 20
"""Descriptors that a process can have (fs.nr_open)."""
FIX = {
    "dma_fd": "Import it with importbuffer_fd.",
    "virtual": "Import it with importbuffer_virtualaddr.",
    "physical": "Import it with importbuffer_physicaladdr.",
    "handle": "It is imported already: wrap the handle with wrapbuffer_handle.",
}


@rule(
    "RG022",
    "address-kind",
    over="rgachannel",
    category="memory",
    rank=Rank.CALL,
    sources=("rga:R-B01", "rga:R-M10", "rockchip-linux/mpp#641"),
)
def check(said: tuple[str | None, int | None], expected: str | None, operation: str, side: str) -> Iterator[Finding]:
    kind, address = said
    values: dict[str, Value] = {
        "operation": operation,
        "side": side,
        "address": address,
        "kind": kind,
        "expected": expected,
    }
    if expected is not None and kind is not None and kind != expected:
        yield Finding(
            "{operation} gets memory of kind {kind}; it takes {expected}.",
            "Each import call takes one kind: importbuffer_fd a dma_fd, importbuffer_virtualaddr a virtual address, "
            "importbuffer_physicaladdr a physical one.",
            FIX[kind],
            values,
        )
        return
    kind = kind or expected
    if kind == "physical" and address is not None and 0 < address < LOWEST:
        yield Finding(
            "{address} is passed to {operation} as a physical address ({side}): it is a file descriptor.",
            "Buffers begin at a page of RAM; nothing is handed out below {lowest}, while {address} is what open and "
            "dma-heap calls "
            "return. The driver would use the memory at address {address}.",
            "Import it with importbuffer_fd({address}, …) or wrap it with wrapbuffer_fd.",
            {**values, "lowest": LOWEST},
        )
    elif kind == "virtual" and address is not None and 0 < address < PAGE:
        yield Finding(
            "{address} is passed to {operation} as a pointer ({side}): it is a file descriptor.",
            "Nothing is mapped in the first page ({page} bytes) of a process; {address} is what open and dma-heap "
            "calls return.",
            "Import it with importbuffer_fd({address}, …) or wrap it with wrapbuffer_fd.",
            {**values, "page": PAGE},
        )
    elif kind == "dma_fd" and address is not None and address > MOST:
        yield Finding(
            "{address} is passed to {operation} as a file descriptor ({side}): it is an address.",
            "A process has at most {most} descriptors, in practice a few hundred; {address} is a pointer or a "
            "physical address.",
            "Use importbuffer_virtualaddr for a pointer, importbuffer_physicaladdr for a physical address, or pass "
            "the fd.",
            {**values, "most": MOST},
        )
    elif kind == "dma_fd" and address in (1, 2):
        yield Finding(
            "Descriptor {address} is passed to {operation} as memory ({side}): that is a standard stream.",
            "1 and 2 are stdout and stderr of a program, unless it closed them first.",
            "Pass the fd of the dma-buf; `readlink /proc/PID/fd/{address}` shows what it is.",
            values,
            severity="warning",
        )
