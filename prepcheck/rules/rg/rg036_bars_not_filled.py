"""The rest of the destination is undefined.

What it checks
    Whether a picture that covers only a part of fresh memory is put into a painted frame.

Why it matters
    The bars hold what the memory held: zeros, or parts of other pictures. The network saw one colour there.

How it is computed
    The destination's rectangle is smaller than the image, its memory was allocated in the plan, and nobody wrote
    it.

Example
    alloc, then improcess into [0, 140, 640, 360] of 640x640.

Fix
    imfill (or memset and sync) the whole destination first, with the colour of training (often 114).

Limits
    Memory whose making the plan does not tell is not judged.

References
    rknn_model_zoo utils/image_utils.c (a failed fill leaves old bytes).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Surface
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG036",
    "bars-not-filled",
    over="rga",
    category="stale_buffer",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("rga:Z-09",),
)
def check(undefined_bars: bool, dst: Surface, operation: str) -> Iterator[Finding]:
    if not undefined_bars:
        return
    box = dst.rect
    yield Finding(
        "{operation} covers {rect} of {width}x{height}; the rest of the fresh memory is undefined.",
        "Nobody wrote it since it was allocated: the bars hold zeros or other pictures' bytes.",
        "Paint the whole destination first (imfill with the color of training, or memset and sync).",
        {"operation": operation, "rect": [box.x, box.y, box.w, box.h], "width": dst.width, "height": dst.height},
    )
