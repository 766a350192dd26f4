"""The batch is −1 and will be run as 1.

What it checks
    Whether the first axis is −1.

Why it matters
    MNN runs such a model with batch 1 without asking.

How it is computed
    dims[0].

Example
    [-1,3,224,224].

Fix
    Nothing for one image; resizeTensor and resizeSession for more.

Limits
    None known.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT037",
    "batch-minus-one",
    over="note:batch_minus_one",
    category="batch",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: MNN 3.6.1",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The first axis of {name} {dims} is −1: MNN runs it as batch 1.",
        "Old converters wrote −1 for the batch.",
        "Nothing has to be done for one image; for more call resizeTensor, then resizeSession, before the copy.",
        {"name": values["name"], "dims": values["dims"]},
    )
