"""The rows given are padded, the call takes them packed.

What it checks
    Whether the bytes given are the picture with rows of a larger pitch.

Why it matters
    The call reads rows one behind the other: every row starts a little too early, the picture is sheared.

How it is computed
    bytes = rows · pitch · channels · element width, for a pitch that a producer uses (8, 16, … 256 pixels, or the input's
    w_stride).

Example
    rows of 1920 pixels padded to 2304: 2304·1080·3 instead of 1920·1080·3.

Fix
    Copy row by row without the padding, or give the pitch where the call has a field for it.

Limits
    rknn_inputs_set takes packed rows and adds the NPU's own padding itself.

References
    RKNN API guide 1.5.2 §4.4.5; JeffyCN/rockchip_mirrors#33.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sizes import SizeStory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ003",
    "padded-rows",
    over="handover",
    category="stride",
    severity="error",
    rank=Rank.SIZE,
    sources=("RKNN API guide 1.5.2 §4.4.5", "runtime:G-16"),
)
def check(size_story: SizeStory, label: str, api: str) -> Iterator[Finding]:
    if size_story.kind != "rows":
        return
    yield Finding(
        "{api} gives {got} bytes for {label}: rows of {given} pixels; it takes packed rows of {width}, {want} bytes.",
        "{got} / {want} = {given} / {width}: each row is read {missing} pixels too early.",
        "Copy the picture row by row into packed memory ({want} bytes).",
        {
            "label": label,
            "got": size_story.got,
            "want": size_story.want,
            "given": size_story.given,
            "width": size_story.of,
            "missing": size_story.given - size_story.of,
            "api": api,
            "elements": size_story.wanted.elements,
        },
        fault="row_stride",
    )
