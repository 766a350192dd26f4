"""The picture comes into the frame in another way than in training.

What it checks
    Stretch, letterbox or crop of the host's steps against `training.resize`.

Why it matters
    A network trained on letterboxed pictures has never seen stretched objects, and the reverse; accuracy drops, small
    objects first.

How it is computed
    The factors across and down over all resizes differ by more than 2 %: stretch; bars were added: letterbox; something was
    cut off: crop. A picture that has the frame's ratio is the same either way and not reported.

Example
    1920x1080 to 640x640: factors 0.3333 and 0.5926. A letterbox scales both by 0.3333 to 640x360 and adds 280 rows.

Fix
    Do in deployment what training did.

Limits
    A matrix of MNN's ImageProcess is judged by its own rules. Up to a factor of 1.1 it is a warning.

References
    rockchip-linux/rknpu2#85, rockchip-linux/rknn-toolkit#198, wang-xinyu/tensorrtx#702, airockchip/rknn-toolkit2#479.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.geometry import letterbox_box
from prepcheck.pixels.chain import State
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RS002",
    "resize-differs-from-training",
    over="path",
    category="resize",
    severity="error",
    rank=Rank.VALUES,
    sources=("rockchip-linux/rknpu2#85", "rockchip-linux/rknn-toolkit#198", "airockchip/rknn-toolkit2#479"),
)
def check(final: State, fitting: str, distortion: float, training_resize: str) -> Iterator[Finding]:
    if fitting in ("whole", training_resize) or final.factors is None or not final.source_size or not final.size:
        return
    (sw, sh), (w, h) = final.source_size, final.size
    box = letterbox_box(final.source_size, final.size)
    values: dict[str, Value] = {
        "sw": sw, "sh": sh, "w": w, "h": h, "across": final.factors[0], "down": final.factors[1], "factor": distortion,
        "used": fitting, "trained": training_resize, "box_w": box.w, "box_h": box.h, "columns": w - box.w, "rows": h - box.h,
    }  # fmt: skip
    if fitting == "stretch":
        yield Finding(
            "Preprocessing stretches {sw}x{sh} to {w}x{h}; the network was trained with {trained}.",
            "It is scaled by {across:.4g} across and {down:.4g} down, a factor of {factor:.4g} between them. With one factor it "
            "would be {box_w}x{box_h}, with {columns} columns and {rows} rows of bars.",
            "Letterbox as in training (fill and position too), or train with stretched pictures."
            if training_resize == "letterbox"
            else "Scale with one factor and crop as in training.",
            values,
            severity="error" if distortion > 1.1 else "warning",
            fault="stretched_instead_of_letterbox" if training_resize == "letterbox" else None,
        )
    elif fitting == "letterbox":
        yield Finding(
            "Preprocessing letterboxes {sw}x{sh} to {w}x{h}; the network was trained with {trained}.",
            "The picture fills {box_w}x{box_h}; {columns} columns and {rows} rows are bars that training never had.",
            "Resize as in training: {trained}.",
            values,
            fault="letterbox_instead_of_stretch" if training_resize == "stretch" else None,
        )
    else:
        yield Finding(
            "Preprocessing crops {sw}x{sh} to {w}x{h}; the network was trained with {trained}.",
            "What lies outside the crop is never seen, and objects are larger than in training.",
            "Resize as in training: {trained}.",
            values,
            severity="warning",
        )
