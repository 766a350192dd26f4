"""The letterbox puts the picture elsewhere than training did.

What it checks
    Position of the picture in the frame (center or top left) against `training.align`.

Why it matters
    Postprocessing that subtracts the bars of the other position displaces every box; the network itself minds less.

How it is computed
    The box of the picture after the last step against the one that training's position gives.

Example
    640x360 in 640x640: at y = 140 when centred, at 0 when top left.

Fix
    Put it where training did, and undo the same offsets.

Limits
    Where both positions give the same box (no bars on that axis) nothing is reported.

References
    rockchip-linux/rknpu2#85; rknn_model_zoo centres, PaddleDetection and mmdetection pad right and bottom.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.geometry import letterbox_box
from prepcheck.pixels.chain import State
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RS006",
    "letterbox-position",
    over="path",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=("rockchip-linux/rknpu2#85",),
    confidence="M",
)
def check(final: State, fitting: str, training_align: str) -> Iterator[Finding]:
    if fitting != "letterbox" or final.box is None or final.size is None or final.source_size is None or final.cropped:
        return
    want = letterbox_box(final.source_size, final.size, align=training_align)
    if abs(want.x - final.box.x) <= 2 and abs(want.y - final.box.y) <= 2:
        return
    yield Finding(
        "The picture lies at ({x}, {y}) of the frame; training ({align}) had it at ({want_x}, {want_y}).",
        "The picture is {w}x{h}; the bars are on other sides than in training.",
        "Align the letterbox as in training ({align}), and undo the same offsets.",
        {
            "x": final.box.x,
            "y": final.box.y,
            "align": training_align,
            "want_x": want.x,
            "want_y": want.y,
            "w": final.box.w,
            "h": final.box.h,
        },
        fault="letterbox_alignment",
    )
