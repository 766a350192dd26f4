"""A channel order that is neither RGB nor BGR.

What it checks
    Whether rknn-toolkit 1's reorder is 0 1 2 or 2 1 0.

Why it matters
    Any other order mixes the channels.

How it is computed
    The list `reorder` of the model.

Example
    1 0 2.

Fix
    Set reorder_channel to '0 1 2' or '2 1 0' and build again.

Limits
    None known.

References
    User Guide RKNN Toolkit 1.7.5, config.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT014",
    "unknown-reorder",
    over="note:unknown_reorder",
    category="channel_order",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("User Guide RKNN Toolkit 1.7.5, config",),
    confidence="M",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Input {name} has reorder {reorder}: neither 0 1 2 nor 2 1 0.",
        "The runtime of rknn-toolkit 1 exchanges the channels in this order before it normalises.",
        "Build again with reorder_channel '0 1 2' (RGB stays) or '2 1 0' (R and B exchanged).",
        {"name": values["name"], "reorder": values["reorder"]},
    )
