"""A batch is not possible for this input.

What it checks
    `only support input channel in [1,3,4] when batch_size > 1` and `only support input n_dims == 4 when batch_size
    > 1`.

Why it matters
    The runtime refuses the input, and a program that goes on crashes; the build does not warn.

How it is computed
    Read off the line.

Example
    A model with 17 channels, built with rknn_batch_size = 2.

Fix
    Build with batch 1 and call it once for each item.

Limits
    None known.

References
    rockchip-linux/rknn-toolkit2#82, #83; measured: librknnrt 1.5.2 under emulation; runtime:G-06
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ305",
    "log-batch-not-taken",
    over="log:batch_c",
    category="batch",
    severity="error",
    rank=Rank.SIZE,
    sources=(
        "rockchip-linux/rknn-toolkit2#82",
        "runtime:G-06",
    ),
    confidence="H",
    scope="conversion",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    channel = first_event.word("c") is not None
    yield Finding(
        "The model was built for a batch above 1, which this runtime takes only for inputs with 1, 3 or 4 channels."
        if channel
        else "The model was built for a batch above 1, which this runtime takes only for inputs with 4 axes.",
        "The build does not warn; the board refuses the input, and a program that runs on crashes.",
        "Build again without rknn_batch_size (batch 1) and run the items one after the other.",
        {},
        about="log:input0",
    )
