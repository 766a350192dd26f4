"""The picture has transparency, the input has no channel for it.

What it checks
    Modes with alpha (RGBA, LA, PA, RGBa) for an input of 1 or 3 channels.

Why it matters
    Decoding to RGB drops the alpha: transparent pixels show whatever colour lies under them, black often, and not the white
    that a viewer shows. Other decoders composite, or hand over four bytes a pixel.

How it is computed
    The mode in the header.

Example
    A PNG logo of mode RGBA for an input of 3 channels.

Fix
    Composite over the background that training had, and save without alpha.

Limits
    Palette pictures with transparency are not told apart by their header.

References
    Pillow documentation, Image.convert; OpenCV documentation (IMREAD_COLOR drops alpha, IMREAD_UNCHANGED keeps it).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims
from prepcheck.registry import Finding, Rank, rule


@rule(
    "IM003",
    "alpha-dropped",
    over="image",
    category="image",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("Pillow documentation, Image.convert",),
)
def check(mode: str, target: Dims, name: str) -> Iterator[Finding]:
    if mode not in ("RGBA", "LA", "PA", "RGBa", "La") or target.c == 4:
        return
    yield Finding(
        "{name} has transparency (mode {mode}); the input has {channels} channel(s), so it is dropped.",
        "Transparent pixels get the colour that lies under them, often black. {own} channels become {channels}.",
        "Composite the picture over the background that training had, and save it without alpha.",
        {"name": name, "mode": mode, "channels": target.c, "own": len(mode)},
    )
