"""The handle of an import and the descriptor behind it are exchanged.

What it checks
    Whether a call passes the handle as a descriptor, or the descriptor as a handle, of memory that was imported.

Why it matters
    Both are small numbers, and the compiler takes either. librga then works on another buffer, or on none.

How it is computed
    The number of the call against what the import returned (the handle) and what it was given (the descriptor).

Example
    importbuffer_fd(38) returned 5; wrapbuffer_handle(38) is taken for handle 38.

Fix
    wrapbuffer_handle with the returned handle; wrapbuffer_fd with the descriptor.

Limits
    Only where the numbers are stated. Where the returned handle is not known, equal numbers are a warning.

References
    RGA developer guide, importbuffer_T; librga rga_set_buffer_info. airockchip/librga#23.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.plain import Value
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG047",
    "handle-and-descriptor-exchanged",
    over="rgachannel",
    category="memory",
    rank=Rank.CALL,
    sources=("rga:R-B01", "RGA developer guide, importbuffer_T"),
)
def check(
    said: tuple[str | None, int | None], import_numbers: tuple[int | None, int], operation: str, side: str
) -> Iterator[Finding]:
    kind, number = said
    handle, fd = import_numbers
    values: dict[str, Value] = {"operation": operation, "side": side, "number": number, "handle": handle, "fd": fd}
    if kind == "handle" and number == fd and handle != fd:
        yield Finding(
            "{operation}'s {side} is given the handle {number}: that is the descriptor that was imported.",
            "importbuffer_fd({fd}, …) returned a handle"
            + (", {handle}" if handle is not None else "")
            + ". The number {number} may be another buffer's handle, or none's.",
            "Wrap the value that importbuffer_fd returned.",
            values,
            severity="error" if handle is not None else "warning",
        )
    elif kind == "dma_fd" and handle is not None and number == handle and handle != fd:
        yield Finding(
            "{operation}'s {side} is given the descriptor {number}: that is the handle of {fd}.",
            "importbuffer_fd({fd}, …) returned the handle {handle}. As a descriptor that number is another file.",
            "Use wrapbuffer_handle({handle}, …), or wrapbuffer_fd({fd}, …).",
            values,
        )
