"""Memory for an operator could not be had on the CPU.

What it checks
    `Alloc buffer error for cpu backend`, `Acquire buffer size = N` with N at or below 0.

Why it matters
    resizeSession fails, runSession returns 3 or crashes. A negative number of bytes is one beyond 2^31 − 1: the sizes asked for
    are too large for an operator of this MNN (3-D convolutions by im2col, large batches); 0 is a tensor without sizes.

How it is computed
    N + 2^32 is the number that was meant.

Example
    −897581056: 3397386240 bytes.

Fix
    A smaller batch or picture; a newer MNN; resizeTensor before, where the sizes are dynamic.

Limits
    A negative number may be one beyond 2^32 as well.

References
    alibaba/MNN#2203, alibaba/MNN#2325, alibaba/MNN#3759.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN328",
    "log-cpu-memory",
    over="logbook",
    category="memory",
    rank=Rank.MEMORY,
    sources=("alibaba/MNN#2203", "alibaba/MNN#2325"),
    scope="device",
)
def check(book: LogBook) -> Iterator[Finding]:
    sizes = [e for e in book.all("mnn_acquire") if (e.number("bytes") or 0) <= 0]
    failed = book.first("mnn_cpu_alloc")
    if not sizes and failed is None:
        return
    event = sizes[0] if sizes else failed
    assert event is not None
    count = sizes[0].number("bytes") if sizes else None
    values: dict[str, Value] = {"bytes": count, "meant": (count or 0) + 2**32, "limit": 2**31 - 1}
    yield Finding(
        "An operator asks for {bytes} bytes, which is {meant} beyond the {limit} that a signed number holds."
        if count
        else "An operator asks for 0 bytes: a tensor has no sizes."
        if count == 0
        else "Memory for an operator could not be had.",
        "{bytes} + 4294967296 = {meant}. The layer needs more memory in one piece than this MNN can count; the session is not made ready, and a "
        "run returns 3 or crashes. The input's content is not concerned."
        if count
        else "The sizes of the network are too large for this device, or were never set (resizeTensor, resizeSession).",
        "Run a smaller batch or picture, or a newer MNN; where sizes are dynamic, set them first.",
        values,
        where=event.where,
        about="log:cpu_memory",
    )
