"""The byte counts differ by the width of the elements.

What it checks
    Whether the bytes given are as many elements as the input takes, but of another width: a factor of 2, 4 or 8.

Why it matters
    8-bit pixels counted as float32 are a quarter of what the call wants; float32 counted as 8 bit is four times too long.
    The call is refused, or foreign memory is read.

How it is computed
    elements · width of the given type = bytes given; elements · width of the wanted type = bytes wanted.

Example
    1228800 bytes of uint8 for 640x640x3 float32 values = 4915200 bytes: a factor of 4.

Fix
    Declare the type that the bytes have, or convert them.

Limits
    Where the type of the bytes is not stated, the factor alone is the reason; batches are looked at first.

References
    rockchip-linux/rknpu2#9, airockchip/rknn-toolkit2#558, openvinotoolkit/openvino#28188.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sizes import SizeStory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ002",
    "other-element-width",
    over="handover",
    category="dtype",
    severity="error",
    rank=Rank.SIZE,
    sources=(
        "rockchip-linux/rknpu2#9",
        "airockchip/rknn-toolkit2#558",
        "openvinotoolkit/openvino#28188",
        "runtime:G-01",
        "runtime:B-02",
    ),
)
def check(size_story: SizeStory, label: str, api: str) -> Iterator[Finding]:
    if size_story.kind != "element":
        return
    yield Finding(
        "{api} gives {got} bytes for {label}, which takes {want}: elements of {given} byte(s) where {dtype} has {width}.",
        "{elements} elements x {width} bytes = {want}; x {given} = {got}. The factor {factor:.3g} is that of the element widths.",
        "Declare the type that the bytes really have, or convert them to {dtype} first.",
        {
            "label": label,
            "got": size_story.got,
            "want": size_story.want,
            "factor": size_story.factor,
            "given": size_story.given,
            "width": size_story.of,
            "dtype": size_story.wanted.dtype,
            "elements": size_story.wanted.elements,
            "api": api,
            "given_dtype": size_story.dtype,
        },
    )
