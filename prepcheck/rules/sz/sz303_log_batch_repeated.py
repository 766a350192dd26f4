"""The simulator fills a batch by repeating one image.

What it checks
    `The input shape […] is conflict with 'rknn_batch_size = N'! Try expand to […]!`

Why it matters
    On the PC it looks right; the board needs N images and reads beyond the buffer, or uses what lies there, where
    one is given.

How it is computed
    Read off the line.

Example
    rknn_batch_size = 4, one image [1, 64, 96, 3] → [4, 3, 64, 96].

Fix
    Give N images, or build with batch 1.

Limits
    None known.

References
    measured: rknn-toolkit2 2.5.0 simulator, librknnrt 1.5.2 under emulation; runtime:P-04, runtime:G-05
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ303",
    "log-batch-repeated",
    over="log:tk_batch",
    category="batch",
    severity="warning",
    rank=Rank.SIZE,
    sources=(
        "measured: rknn-toolkit2 2.5.0 simulator",
        "runtime:P-04",
        "runtime:G-05",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    got = first_event.numbers("got")
    have = got[0] if got else 1
    yield Finding(
        "The model was built with rknn_batch_size = {n}, and {have} image is given; the simulator repeats it {n} times and goes on.",
        "{got} becomes {to}. On a board nothing is repeated: {n} images are read from the buffer, and where it holds one, the "
        "others are whatever lies behind it.",
        "Give {n} images on the board, or build with rknn_batch_size left out (batch 1). With a batch, split the outputs by {n} too.",
        {"n": first_event.number("n"), "have": have, "got": got, "to": first_event.numbers("to")},
        about="log:inference",
    )
