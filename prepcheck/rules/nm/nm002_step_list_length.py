"""A normalize step has another number of means or stds than the picture has channels.

What it checks
    Whether mean and std of a `normalize` step (or mean and normal of ImageProcess) hold one value, or one per channel.

Why it matters
    With too many values the rest is ignored or read as the next pixel's; with too few a channel is divided by whatever
    follows in memory: NaN and infinities are the usual result.

How it is computed
    Length of each list against the channels of the picture at that step, else of the input.

Example
    mean [127.5, 127.5, 127.5, 0] for a picture of one channel: 4 values for 1.

Fix
    One value per channel.

Limits
    One value for all channels is right. ImageProcess of MNN takes four values whatever the format; it is not judged here.

References
    Tencent/TNN#427 (three scales and a zero for one channel gave NaN).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM002",
    "step-list-length",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("Tencent/TNN#427",),
)
def check(normalize_lists: list[tuple[int, str, int, int]], label: str) -> Iterator[Finding]:
    for step, name, count, channels in normalize_lists:
        if count not in (1, channels):
            yield Finding(
                "steps[{step}]: normalize has {count} {list} values for {channels} channel(s) of {label}.",
                "One value belongs to each channel, or one to all: {channels} or 1 are wanted, {count} are given.",
                "Give {channels} value(s), in the channel order of the picture at that step.",
                {"step": step, "list": name, "count": count, "channels": channels, "label": label},
            )
            return
