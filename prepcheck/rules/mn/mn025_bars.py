"""The bars around the picture are not those of training: smeared edges, or another value.

What it checks
    Wrap mode and padding where the matrix leaves bars around the picture.

Why it matters
    Only wrap ZERO writes the padding byte. CLAMP_TO_EDGE repeats the picture's edge into the bars (REPEAT does the same), up to
    114 steps away from a fill of 114. Another fill than in training is an unknown border to the network.

How it is computed
    How far the samples leave the source: one pixel and more is a bar. The padding byte against `training.fill`; both go
    through mean and normal alike.

Example
    Letterbox with CLAMP_TO_EDGE and fill 114 in training.

Fix
    wrap ZERO and setPadding(fill).

Limits
    MNN pads with one byte for all channels; a fill of several values cannot be made. Without `training.fill` only smearing is
    reported.

References
    Measured: MNN 3.6.1 (letterbox 640x360 → 416); alibaba/MNN#2386, alibaba/MNN#2729.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Axis
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN025",
    "bars",
    over="convert",
    category="resize",
    rank=Rank.VALUES,
    runtimes=("mnn",),
    sources=("mnn:I22", "measured: MNN 3.6.1", "alibaba/MNN#2729"),
)
def check(
    planned: PlannedCall, axes: tuple[Axis, Axis], letterboxed: bool, label: str, expected_fill: int = -1
) -> Iterator[Finding]:
    config = planned.config
    bars = max(max(a.overshoot) for a in axes)
    if bars < 1 or min(a.scale for a in axes) <= 0:
        return
    values: dict[str, Value] = {
        "label": label, "wrap": config.wrap, "bars": bars, "padding": config.padding, "fill": expected_fill,
    }  # fmt: skip
    if config.wrap != "ZERO":
        yield Finding(
            "{label}: the matrix leaves the source by {bars:.5g} pixels and wrap is {wrap}: the picture's edge is smeared into the bars.",
            "CLAMP_TO_EDGE and REPEAT both repeat the last row and column; only wrap ZERO writes the padding byte.",
            "Set wrap ZERO and setPadding({fill})."
            if expected_fill >= 0
            else "Set wrap ZERO and setPadding to the bar value of training.",
            values,
            severity="error" if letterboxed else "warning",
            fault="letterbox_fill" if letterboxed else None,
        )
    elif expected_fill >= 0 and "padding" in planned.assumed:
        yield Finding(
            "{label}: setPadding was not called: the bars are 0, training had {fill}.",
            "The padding byte is 0 unless it is set; it goes through mean and normal like a pixel.",
            "setPadding({fill}).",
            values,
            severity="warning",
            fault="letterbox_fill",
        )
    elif expected_fill >= 0 and expected_fill != config.padding:
        yield Finding(
            "{label}: the bars are {padding}, training had {fill}.",
            "The padding byte goes through mean and normal like a pixel, so the network sees another border than in training.",
            "setPadding({fill}).",
            values,
            fault="letterbox_fill",
        )
