"""rknn_model_zoo's letterbox is not the usual one.

What it checks
    Where convert_image_with_letterbox puts the picture, against the plain letterbox of training.

Why it matters
    The box is a few pixels smaller and sits on even numbers: boxes mapped back with the nominal factor are off by
    up to 3 pixels of the resized width.

How it is computed
    The smaller float32 ratio; the other side truncated, the width cut to a multiple of 4, the height to 2; half
    the bar, rounded down to even.

Example
    1000x1500 into 640x640: 424 wide at x = 108, while 1000 x 640 / 1500 = 426.67.

Fix
    Map boxes back with box width / source width and the real offset.

Limits
    An info. Steps count where their `library` is zoo.

References
    rknn_model_zoo utils/image_utils.c; the model agrees with it over a broad grid of sizes.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.steps import Step
from prepcheck.core.geometry import letterbox_box
from prepcheck.core.zoo_letterbox import zoo_letterbox
from prepcheck.pixels.chain import State
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG034",
    "zoo-letterbox",
    over="path",
    category="resize",
    severity="info",
    rank=Rank.VALUES,
    sources=("rga:Z-11", "rga:Z-12", "rga:Z-13"),
)
def check(steps: list[Step], states: list[State]) -> Iterator[Finding]:
    for i, step in enumerate(steps):
        before = states[i].size
        if (
            step.letterbox is None
            or step.letterbox.library != "zoo"
            or before is None
            or 0 in (*before, *step.letterbox.size)
        ):
            continue
        target = (step.letterbox.size[0], step.letterbox.size[1])
        got, usual = zoo_letterbox(before, target), letterbox_box(before, target)
        if got.box == usual:
            continue
        yield Finding(
            "convert_image_with_letterbox puts {before} at {box} of {after}; the usual letterbox takes {usual}.",
            "Its width is cut to a multiple of 4, its height to 2, its offset to an even number. The demos map back "
            "with "
            "{scale:.6g}; across, the true factor is {bw} / {sw} = {true:.6g}.",
            "Map boxes back with the true factor and offset ({x}, {y}).",
            {
                "before": f"{before[0]}x{before[1]}", "after": f"{target[0]}x{target[1]}", "sw": before[0],
                "bw": got.box.w,
                "box": [got.box.x, got.box.y, got.box.w, got.box.h], "usual": [usual.x, usual.y, usual.w, usual.h],
                "scale": got.scale, "true": got.box.w / before[0], "x": got.box.x, "y": got.box.y,
            },
            where=f"steps[{i}]",
            severity="info",
        )  # fmt: skip
