"""One axis of a tensor is shorter or longer than the model's.

What it checks
    For inputs that are no pictures: whether one axis of another length explains the bytes.

Why it matters
    Sequence lengths, window sizes and feature counts are fixed when the model is converted. The call is refused, or the rest
    is foreign memory.

How it is computed
    From the shapes where the buffer's is stated; else bytes given / (bytes wanted / length of the axis) is a whole number.

Example
    3072000 bytes given, 4608000 wanted: 1000 frames of 768 float32 values instead of 1500.

Fix
    Use the length that the model was converted with, or convert for yours.

Limits
    Without the buffer's shape several axes may explain the numbers; the longest is named.

References
    airockchip/rknn_model_zoo#298 (a chunk of 20 s against 30 s).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sizes import SizeStory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ006",
    "axis-too-short",
    over="handover",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=("airockchip/rknn_model_zoo#298",),
)
def check(size_story: SizeStory, label: str, api: str) -> Iterator[Finding]:
    if size_story.kind != "axis":
        return
    yield Finding(
        "{api} gives {got} bytes ({got_elements} elements) for {label}, which takes {want} ({elements}): axis {axis} has {given} "
        "instead of {of}.",
        "The model's shape is {shape}; {want} / {of} · {given} = {got}. The length was fixed when the model was converted.",
        "Give {of} along axis {axis} (pad or cut), or convert the model for {given}.",
        {
            "label": label,
            "got": size_story.got,
            "want": size_story.want,
            "given": size_story.given,
            "of": size_story.of,
            "axis": size_story.axis,
            "shape": size_story.wanted.shape,
            "api": api,
            "elements": size_story.wanted.elements,
            "got_elements": size_story.got_elements,
        },
    )
