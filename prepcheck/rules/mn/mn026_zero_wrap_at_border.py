"""Wrap ZERO turns a border of the picture into padding.

What it checks
    Whether rows or columns are sampled less than one pixel outside the source while wrap is ZERO.

Why it matters
    MNN does not blend there: a sample that leaves the picture by a hundredth of a pixel becomes the padding value. A black (or
    gray) line appears at the border; after mean and normal it is a strong edge.

How it is computed
    The positions scale·x + translation of the first and last destination pixels against 0 and side − 1.

Example
    384x384 → 384x384 with scale 1.0001: the last row and column lie at 383.04.

Fix
    CLAMP_TO_EDGE, unless bars are wanted; with bars, a matrix whose first and last picture pixels lie inside.

Limits
    Bars (a pixel and more outside) are meant and not reported here.

References
    alibaba/MNN#1019; measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Axis
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN026",
    "zero-wrap-at-border",
    over="convert",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    runtimes=("mnn",),
    sources=("mnn:I22", "alibaba/MNN#1019", "measured: MNN 3.6.1"),
)
def check(planned: PlannedCall, axes: tuple[Axis, Axis], label: str) -> Iterator[Finding]:
    if planned.config.wrap != "ZERO" or planned.config.matrix is None or min(a.scale for a in axes) <= 0:
        return
    lost = [
        (name, count, over)
        for axis, names in zip(axes, (("left", "right"), ("top", "bottom")), strict=True)
        for name, count, over in zip(names, axis.padded(rows=names[0] == "top"), axis.overshoot, strict=True)
        if count and over < 1
    ]
    if not lost:
        return
    across, down = axes
    yield Finding(
        "{label}: wrap ZERO makes a border of the picture {padding}: {edges}.",
        "The outermost samples lie {over:.4g} of a source pixel outside ({sw}x{sh}, scale {sx:.6g}, {sy:.6g}, translation {tx:.6g}, "
        "{ty:.6g}), and what is outside is padding, without any blend.",
        "Use CLAMP_TO_EDGE where no bars are wanted.",
        {
            "label": label, "padding": planned.config.padding, "edges": ", ".join(f"{name} {count}" for name, count, _ in lost),
            "over": max(over for *_, over in lost), "sw": across.source, "sh": down.source, "sx": across.scale, "sy": down.scale,
            "tx": across.shift, "ty": down.shift,
        },
    )  # fmt: skip
