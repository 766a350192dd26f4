"""Memory is imported with a descriptor, address or offset that does not fit it.

What it checks
    rknn_create_mem_from_fd: a valid fd of the memory's own kind, and offset plus size within it.
    rknn_create_mem_from_phys: memory that is physical.

Why it matters
    A wrong fd gives NULL (and rknn_set_io_mem then -5), or somebody else's memory. Beyond the end the NPU reads foreign
    memory.

How it is computed
    fd, offset and size of the call against `memory` of the buffer (kind, address, capacity).

Example
    offset 4096 and size 1228800 into a dma-buf of 1228800 bytes: 4096 bytes too far.

Fix
    Pass the fd of the dma-buf, the start of its mapping as virt_addr (without the offset), and the offset in bytes.

Limits
    Only what the plan states of the buffer.

References
    rknn_api.h 2.3.2, rknn_create_mem_from_fd; measured: librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.memory_calls import Imported
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MM013",
    "imported-memory",
    over="call",
    category="memory",
    rank=Rank.CALL,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:Z-17", "rknn_api.h 2.3.2, rknn_create_mem_from_fd"),
)
def check(imported: Imported) -> Iterator[Finding]:
    call, buffer = imported.call, imported.declared
    memory = buffer.memory if buffer else None
    kind = memory.kind if memory else None
    values: dict[str, Value] = {
        "memory": call.buffer or "the memory", "api": call.api, "kind": kind, "fd": call.fd, "offset": call.offset,
        "size": call.size, "link": "memory -> binding",
    }  # fmt: skip
    from_fd = call.api == "rknn_create_mem_from_fd"
    if from_fd and call.fd is not None and call.fd < 0:
        yield Finding(
            "rknn_create_mem_from_fd gets fd {fd}.",
            "A negative number is no file descriptor: the allocation before it failed. The call returns NULL and the binding "
            "that follows -5.",
            "Check what the allocator returned.",
            values,
            about=imported.about,
        )
        return
    wrong = {"virtual", "physical"} if from_fd else {"virtual", "dma_fd"}
    if kind in wrong:
        yield Finding(
            "{memory} is {kind} memory; {api} wants a dma-buf's file descriptor."
            if from_fd
            else "{memory} is {kind} memory; {api} wants a physical address.",
            "The number that is passed means something else there: the call fails, or the NPU reads foreign memory.",
            "Use rknn_create_mem_from_phys for physical memory; memory of malloc cannot be imported at all."
            if from_fd
            else "Use rknn_create_mem_from_fd for a dma-buf; memory of malloc cannot be imported at all.",
            values,
            about=imported.about,
        )
        return
    if from_fd and call.fd is not None and memory is not None and memory.address is not None and kind == "dma_fd":
        if memory.address != call.fd:
            values["address"] = memory.address
            yield Finding(
                "rknn_create_mem_from_fd gets fd {fd}; {memory} has fd {address}.",
                "The NPU will read the memory behind fd {fd}, and the picture is written behind fd {address}.",
                "Pass fd {address}.",
                values,
                about=imported.about,
            )
            return
    capacity = memory.capacity if memory and memory.capacity is not None else buffer.size if buffer else None
    end = (call.offset or 0) + (call.size or 0)
    if capacity is not None and call.size is not None and end > capacity:
        values |= {"capacity": capacity, "end": end, "over": end - capacity}
        yield Finding(
            "offset {offset} + size {size} = {end} goes {over} bytes beyond the {capacity} bytes of {memory}.",
            "The NPU would read memory behind the buffer.",
            "Allocate {end} bytes, or correct offset and size.",
            {**values, "offset": call.offset or 0},
            about=imported.about,
        )
