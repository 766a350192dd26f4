"""ImageProcess fills image 0 of a batch only.

What it checks
    Batch of the destination of convert.

Why it matters
    The other images stay as they were, or in NCHW are overwritten with uninitialised memory.

How it is computed
    Axis N of the destination.

Example
    4x3x224x224: one of four images is written.

Fix
    Convert each image into a tensor of batch 1, copy them into one host tensor, then copyFromHostTensor.

Limits
    Measured on one version.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN032",
    "convert-batch",
    over="convert",
    category="batch",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:I11", "measured: MNN 3.6.1"),
    versions=("3.6.1",),
)
def check(planned: PlannedCall, label: str) -> Iterator[Finding]:
    n = planned.dest.dims.n
    if n <= 1:
        return
    rest = planned.dest.dims.elements // n
    yield Finding(
        "{label}: convert fills image 0 of a batch of {batch}; the other {others} are "
        + ("overwritten with uninitialised memory." if planned.dest.layout == "NCHW" else "left as they were."),
        "It takes one picture a call and has no argument for the place in the batch: {one} of {all} values are written.",
        "Convert each image into a tensor of batch 1 and put them together in a host tensor before copyFromHostTensor.",
        {"label": label, "batch": n, "others": n - 1, "one": rest, "all": rest * n},
    )
