"""One ImageProcess fills a float tensor and then a uint8 one.

What it checks
    A convert into uint8 after a convert into float32 with the same settings, as one processor would have.

Why it matters
    The processor keeps what it set up for floats: it writes floats into the uint8 tensor, four times its size. The heap is
    damaged; the program crashes then or later.

How it is computed
    Destinations of calls with equal formats, mean, normal, filter, wrap and matrix.

Example
    float32 1x64x64x3, then uint8 1x64x64x3: 49152 bytes into 12288.

Fix
    One processor for each element type of the destination.

Limits
    A plan does not say whether the two calls share a processor: a warning. uint8 first, then float, is right.

References
    Measured: MNN 3.6.1 (heap overflow, SIGSEGV).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Issue
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN034",
    "processor-reused",
    over="convert",
    category="memory",
    severity="warning",
    rank=Rank.MEMORY,
    runtimes=("mnn",),
    sources=("mnn:I13", "measured: MNN 3.6.1"),
)
def check(reused: tuple[Issue, int], planned: PlannedCall, label: str) -> Iterator[Finding]:
    room = planned.dest.elements
    yield Finding(
        "{label}: the settings are those of calls[{earlier}], which filled a float32 tensor; one processor for both writes floats "
        "into the uint8 tensor.",
        "{room} elements as floats are {got} bytes, the uint8 tensor has {room}: the heap is overrun.",
        "Make one ImageProcess for each element type of the destination.",
        {"label": label, "earlier": reused[1], "room": room, "got": 4 * room},
    )
