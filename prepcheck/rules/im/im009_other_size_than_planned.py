"""The picture has not the size that the plan's decode step states.

What it checks
    Size of the image file (turned where the decoder applies the EXIF orientation) against `size` of the decode step.

Why it matters
    Everything that the plan computes from the size (letterbox bars, crops, the way back of boxes) is for another picture.

How it is computed
    Comparison of width and height.

Example
    decode size [1920, 1080], image 1280x720.

Fix
    Leave `size` out where pictures differ, or give the picture that is meant.

Limits
    Only for plans of your own.

References
    The plan against the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.steps import Decode
from prepcheck.registry import Finding, Rank, rule


@rule(
    "IM009",
    "other-size-than-planned",
    over="image",
    category="image",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("the plan against the file",),
)
def check(decode: Decode, decoded_size: tuple[int, int], declared: bool, name: str) -> Iterator[Finding]:
    if not declared or decode.size is None or tuple(decode.size) == decoded_size:
        return
    yield Finding(
        "{name} is {w}x{h}; the plan's decode step says {width}x{height}.",
        "Bars, crops and the way back of boxes are computed for {width}x{height}.",
        "Give the picture that is meant, or leave `size` out of the decode step.",
        {"name": name, "w": decoded_size[0], "h": decoded_size[1], "width": decode.size[0], "height": decode.size[1]},
    )
