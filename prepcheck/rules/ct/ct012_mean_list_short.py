"""Fewer means or stds than channels.

What it checks
    Whether the model has a mean and a std for each channel of the input.

Why it matters
    The runtime repeats the first entry for the channels that have none.

How it is computed
    Lengths of the lists in the model against the channels.

Example
    6 channels, 4 means.

Fix
    Give one mean and one std per channel in config().

Limits
    Lists whose entries are all alike are not reported.

References
    Measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT012",
    "mean-list-short",
    over="note:mean_list_short",
    category="normalization",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: librknnrt 1.5.2 under emulation",),
    confidence="M",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Input {name} has {channels} channels, but {means} means and {stds} stds that are not all alike.",
        "For the channels without an entry the first one is used.",
        "Give {channels} means and {channels} stds in config().",
        {"name": values["name"], "channels": values["channels"], "means": values["means"], "stds": values["stds"]},
    )
