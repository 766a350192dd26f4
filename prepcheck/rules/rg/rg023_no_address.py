"""A channel without memory.

What it checks
    Whether the handle, descriptor or address of a channel stands for memory at all.

Why it matters
    librga prints "has not fd and address for render", does nothing, and may still return success: the destination
    keeps what it held, the same answer for every image.

How it is computed
    0 counts as "not given" for every kind; a negative descriptor is a failed open; 0xffffffff is importbuffer's
    -1 seen through an unsigned handle, which the test `handle <= 0` does not catch.

Example
    importbuffer_fd fails with -1, the handle is 4294967295, the call "succeeds" and nothing is written.

Fix
    Check the handle against 0 and 0xffffffff, the descriptor against < 0, before wrapping it.

Limits
    Descriptor 0 may be a dma-buf for the kernel; librga takes it as absent.

References
    librga rga_set_buffer_info, importbuffer; airockchip/librga#23, #30, #53.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule

ZERO = (
    'librga takes 0 as "not given": it does nothing and may return success, and the destination keeps its old content.'
)
FD = "A negative descriptor is a failed open: the driver answers EBADF."
HANDLE = (
    "0xffffffff is importbuffer's -1 in an unsigned handle: the import failed. The call does nothing or is refused, "
    "and the "
    "destination keeps its old content."
)


@rule(
    "RG023",
    "no-address",
    over="rgachannel",
    category="memory",
    rank=Rank.CALL,
    sources=("rga:R-B05", "rga:R-B06", "rga:R-B07", "airockchip/librga#30", "airockchip/librga#53"),
)
def check(said: tuple[str | None, int | None], expected: str | None, operation: str, side: str) -> Iterator[Finding]:
    kind, address = said[0] or expected, said[1]
    bad_handle = kind == "handle" and address in (-1, 0xFFFFFFFF)
    bad_fd = kind == "dma_fd" and address is not None and address < 0
    if address != 0 and not bad_handle and not bad_fd:
        return
    if kind is None:
        return
    yield Finding(
        "{operation}'s {side} has {kind} {address}: no memory.",
        HANDLE if bad_handle else FD if bad_fd else ZERO,
        "Check what the import or allocation returned before the call (a handle against 0 and 0xffffffff, a "
        "descriptor "
        "against < 0).",
        {"operation": operation, "side": side, "kind": kind, "address": address},
    )
