"""Postprocessing undoes something else than preprocessing did.

What it checks
    `postprocess.undo` against what the host's steps do: stretch or letterbox.

Why it matters
    Boxes come back displaced and scaled: the detector looks inaccurate though the network is right.

How it is computed
    As for RS002; a picture that has the frame's ratio is the same either way.

Example
    1920x1080 stretched to 640x640, boxes mapped back as from a letterbox: y comes out too small by the bars.

Fix
    Undo what was done.

Limits
    None.

References
    rockchip-linux/rknpu2#85.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.geometry import letterbox_box
from prepcheck.pixels.chain import State
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RS003",
    "undo-differs",
    over="path",
    category="resize",
    severity="error",
    rank=Rank.VALUES,
    sources=("rockchip-linux/rknpu2#85",),
)
def check(final: State, fitting: str, undo: str) -> Iterator[Finding]:
    if fitting not in ("stretch", "letterbox") or fitting == undo or not final.source_size or not final.size:
        return
    (sw, sh), (w, h) = final.source_size, final.size
    box = letterbox_box(final.source_size, final.size)
    yield Finding(
        "Preprocessing does a {used} of {sw}x{sh} to {w}x{h}, postprocessing undoes a {undo}: boxes come back displaced.",
        "A letterbox of {sw}x{sh} fills {box_w}x{box_h} of {w}x{h}; a stretch fills it all. Coordinates of one are not those of the "
        "other.",
        "Undo the {used}, or do a {undo} before.",
        {"used": fitting, "undo": undo, "sw": sw, "sh": sh, "w": w, "h": h, "box_w": box.w, "box_h": box.h},
    )
