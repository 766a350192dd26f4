"""Source and destination of ImageProcess differ in size, and no matrix scales.

What it checks
    Whether a matrix is set where the sizes differ.

Why it matters
    Without a matrix ImageProcess does not resize: the top left corner of the source is copied. Where the source is smaller its
    edge is smeared (or padded) to the right and down.

How it is computed
    Width and height of source and destination; no matrix, or the identity.

Example
    1280x720 → 320x320 without a matrix: 320x320 of 1280x720, 11 % of the picture.

Fix
    setScale(source/destination) with the half-pixel translation.

Limits
    A warning where training crops, or where only a few rows or columns of alignment are cut off. A source that fits into the
    destination with wrap ZERO is a pad, not a resize: not reported.

References
    Measured: MNN 3.6.1 (gray ramp 16 → 8: 0 10 20 30 40 50 60 70).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Verdict
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, Value, rule

ALIGNMENT = 16
"""Rows or columns that decoders and cameras add up to a multiple of."""


@rule(
    "MN021",
    "no-matrix",
    over="convert",
    category="resize",
    rank=Rank.VALUES,
    runtimes=("mnn",),
    sources=("mnn:I3", "measured: MNN 3.6.1"),
)
def check(
    planned: PlannedCall, verdict: Verdict, sizes_differ: bool, label: str, expected_fit: str | None = None
) -> Iterator[Finding]:
    if not sizes_differ or verdict.matrix_kind not in ("none", "identity"):
        return
    (sw, sh), (w, h) = planned.size, (planned.dest.dims.w, planned.dest.dims.h)
    if sw <= w and sh <= h and planned.config.wrap == "ZERO" and "wrap" not in planned.assumed:
        return
    want = verdict.half_pixel
    values: dict[str, Value] = {
        "label": label, "sw": sw, "sh": sh, "w": w, "h": h, "want_x": want[0], "want_y": want[4], "tx": want[2], "ty": want[5],
        "share": 100 * min(sw, w) * min(sh, h) / (sw * sh), "padding": planned.config.padding,
    }  # fmt: skip
    cuts = sw >= w and sh >= h
    aligned = cuts and sw - w < ALIGNMENT and sh - h < ALIGNMENT and 16 * (sw - w) <= sw and 16 * (sh - h) <= sh
    yield Finding(
        "{label}: {sw}x{sh} goes to {w}x{h} without a matrix: nothing is scaled, the top left {w}x{h} is cut out ({share:.3g} % of "
        "the picture)."
        if cuts
        else "{label}: {sw}x{sh} goes to {w}x{h} without a matrix: nothing is scaled, and the edge of the picture is smeared over what "
        "lies beyond it.",
        "ImageProcess resizes only by its matrix, which is the identity when none is set. {sw}/{w} = {want_x:.6g} and {sh}/{h} = "
        "{want_y:.6g} are the scales of a resize.",
        "setScale({want_x:.9g}, {want_y:.9g}) and postTranslate({tx:.9g}, {ty:.9g}): that equals OpenCV's INTER_LINEAR.",
        values,
        severity="warning" if cuts and (aligned or expected_fit == "crop") else None,
    )
