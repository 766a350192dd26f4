"""The matrix has the scale of a letterbox and puts the picture in another place.

What it checks
    Where the matrix puts the picture, against where training's letterbox puts it, where the size of the picture is right.

Why it matters
    The bars lie elsewhere than in training, and boxes come back displaced by as much.

How it is computed
    The matrix maps destination to source, so the translation of a bar of k pixels is −k·scale besides the half-pixel shift:
    t = 0.5·s − 0.5 − s·k.

Example
    1000x748 → 320x320: 320x238, 41 rows above. s = 748/238 = 3.142857, t = 0.5·s − 0.5 − 41·s = −127.785714.

Fix
    The exact matrix is in the finding.

Limits
    Needs `training.align`; a top-left letterbox has no such translation. One pixel of difference is rounding.

References
    alibaba/MNN#2729; measured: MNN 3.6.1 (letterbox with wrap ZERO and this matrix against OpenCV: at most 1 step).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Verdict, box_matrix
from prepcheck.pixels.image_process.frame import POSITION, Frame, inverse_scales
from prepcheck.pixels.image_process.matrix import Axis
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN023",
    "letterbox-translation",
    over="convert",
    category="resize",
    rank=Rank.VALUES,
    runtimes=("mnn",),
    sources=("mnn:I2", "alibaba/MNN#2729", "measured: MNN 3.6.1"),
)
def check(
    letterboxed: bool, frame: Frame, verdict: Verdict, axes: tuple[Axis, Axis], expected_align: str, label: str
) -> Iterator[Finding]:
    if not letterboxed or not frame.sized_as(frame.letterbox(expected_align)) or inverse_scales(axes):
        return
    box = frame.own_box(expected_align)
    right, down = frame.off(box)
    if max(abs(right), abs(down)) <= POSITION:
        return
    across, along = axes
    want = box_matrix(frame.source, (box.x, box.y, box.w, box.h))
    vertical = abs(down) >= abs(right)
    bar, scale, shift, target = (
        (box.y, along.scale, along.shift, want[5]) if vertical else (box.x, across.scale, across.shift, want[2])
    )
    yield Finding(
        "{label}: the picture belongs {bar} {lines} from the {edge} ({box_w}x{box_h} in {w}x{h}, {align}), and the matrix puts it at "
        "{at:.4g}.",
        "{sw}x{sh} scaled by one factor is {box_w}x{box_h}, so {bars} {lines} are bars, {bar} of them before the picture. The matrix "
        "maps destination to source: its translation must hold −{bar} · {scale:.7g}, that is {target:.6f} with the half-pixel shift; "
        "it is {shift:.6f}.",
        "setScale({want_x:.9g}, {want_y:.9g}) and postTranslate({tx:.9g}, {ty:.9g}).",
        {
            "label": label, "bar": bar, "lines": "rows" if vertical else "columns", "edge": "top" if vertical else "left",
            "box_w": box.w, "box_h": box.h, "w": frame.dest[0], "h": frame.dest[1], "align": expected_align,
            "at": frame.y if vertical else frame.x, "sw": frame.source[0], "sh": frame.source[1],
            "bars": (frame.dest[1] - box.h) if vertical else (frame.dest[0] - box.w), "scale": scale, "shift": shift, "target": target,
            "want_x": want[0], "want_y": want[4], "tx": want[2], "ty": want[5],
        },
        fault="letterbox_alignment",
    )  # fmt: skip
