"""The bytes have another number of channels than the input.

What it checks
    Whether the bytes given are the input's picture with 1, 2, 3 or 4 channels in place of its own.

Why it matters
    RGBA for RGB shifts every pixel by one byte more; a grey picture for a colour input fills a third of it.

How it is computed
    bytes given · channels of the input = bytes wanted · channels given.

Example
    640x640 RGBA: 1638400 bytes for 1228800: 4 channels for 3.

Fix
    Convert: RGBA → RGB, GRAY → RGB.

Limits
    Sizes only; the colour order is looked at elsewhere.

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sizes import SizeStory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ005",
    "other-channel-count",
    over="handover",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=("arithmetic", "runtime:B-03"),
)
def check(size_story: SizeStory, label: str, api: str) -> Iterator[Finding]:
    if size_story.kind != "channels":
        return
    yield Finding(
        "{api} gives {got} bytes for {label}, which takes {want}: {given} channel(s) where it has {channels}.",
        "{want} / {channels} · {given} = {got}: the same picture with {given} channel(s) a pixel.",
        "Convert the picture to {channels} channel(s) before the hand-over ({want} bytes).",
        {
            "label": label,
            "got": size_story.got,
            "want": size_story.want,
            "given": size_story.given,
            "channels": size_story.of,
            "api": api,
            "elements": size_story.wanted.elements,
        },
        fault="alpha_channel" if size_story.given == 4 else None,
    )
