"""The matrix stretches, letterboxes or crops where training (or the postprocessing) did another.

What it checks
    How the matrix brings the picture into the frame, against `training.resize`, else against what `postprocess.undo` undoes.

Why it matters
    Objects have another shape or size than the network has seen, and boxes are mapped back by the wrong rule.

How it is computed
    The rectangle of the whole source in the destination: it fills the frame (with one factor, or with two: stretch), leaves
    bars (letterbox), or is larger than the frame (crop). A ratio of the two factors up to 1.02 is rounding.

Example
    1280x720 → 640x640 with scales 2 and 1.125, training letterbox: it should be 640x360 with 280 rows of bars.

Fix
    The matrix that does what training did is in the finding.

Limits
    Scale and translation only. Up to a factor of 1.1 a stretch is a warning.

References
    rockchip-linux/rknpu2#85 (the same fault elsewhere), alibaba/MNN#2729.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Axis, Verdict, box_matrix
from prepcheck.pixels.image_process.frame import Frame, inverse_scales
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN024",
    "matrix-fits-otherwise",
    over="convert",
    category="resize",
    rank=Rank.VALUES,
    runtimes=("mnn",),
    sources=("rockchip-linux/rknpu2#85", "alibaba/MNN#2729"),
)
def check(
    frame: Frame, verdict: Verdict, axes: tuple[Axis, Axis], expected_fit: str | None, label: str
) -> Iterator[Finding]:
    fitting = frame.fitting
    if expected_fit is None or fitting in ("whole", expected_fit) or verdict.matrix_kind in ("none", "identity"):
        return
    if inverse_scales(axes) or (fitting == "other" and expected_fit == "crop"):
        return
    box = frame.letterbox("center")
    want = box_matrix(frame.source, (box.x, box.y, box.w, box.h)) if expected_fit == "letterbox" else verdict.half_pixel
    values: dict[str, Value] = {
        "label": label, "sw": frame.source[0], "sh": frame.source[1], "w": frame.dest[0], "h": frame.dest[1], "fx": 1 / axes[0].scale,
        "fy": 1 / axes[1].scale, "factor": frame.distortion, "expected": expected_fit, "box_w": box.w, "box_h": box.h,
        "columns": frame.dest[0] - box.w, "rows": frame.dest[1] - box.h, "want_x": want[0], "want_y": want[4], "tx": want[2],
        "ty": want[5], "pw": frame.width, "ph": frame.height,
    }  # fmt: skip
    fix = "setScale({want_x:.9g}, {want_y:.9g}) and postTranslate({tx:.9g}, {ty:.9g})"
    if fitting == "stretch":
        yield Finding(
            "{label}: the matrix stretches {sw}x{sh} to {w}x{h}; a {expected} is expected.",
            "It scales by {fx:.4g} across and {fy:.4g} down, a factor of {factor:.4g} between them. With one factor the picture is "
            "{box_w}x{box_h}, with {columns} columns and {rows} rows of bars.",
            fix + " (centred bars), wrap ZERO and the padding of training."
            if expected_fit == "letterbox"
            else "Scale with one factor and crop as in training.",
            values,
            severity="error" if frame.distortion > 1.1 else "warning",
            fault="stretched_instead_of_letterbox" if expected_fit == "letterbox" else None,
        )
    elif fitting == "letterbox" and expected_fit == "stretch":
        yield Finding(
            "{label}: the matrix leaves bars around {pw:.4g}x{ph:.4g} in {w}x{h}; a stretch over the whole frame is expected.",
            "Both sides are scaled by {fx:.4g}; the bars were not there in training.",
            fix + ".",
            values,
            fault="letterbox_instead_of_stretch",
        )
    else:
        yield Finding(
            "{label}: the matrix makes {pw:.4g}x{ph:.4g} of {sw}x{sh} and {w}x{h} of that are seen; a {expected} is expected.",
            "It scales by {fx:.4g} across and {fy:.4g} down; a part of the picture lies outside the frame, or it neither fills it nor keeps "
            "its ratio.",
            fix + ".",
            values,
            severity="warning" if fitting == "crop" and expected_fit == "stretch" else None,
        )
