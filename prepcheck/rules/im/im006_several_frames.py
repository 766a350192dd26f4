"""The file holds several pictures; the first is used.

What it checks
    Number of frames: animated GIF, WebP and PNG, multi-page TIFF.

Why it matters
    Decoders take the first frame, and those of animations may hold only a part of the picture.

How it is computed
    Frames in the header.

Example
    An animated GIF of 24 frames.

Fix
    Save the frame that is meant.

Limits
    None.

References
    Pillow documentation, n_frames.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "IM006",
    "several-frames",
    over="image",
    category="image",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("Pillow documentation, n_frames",),
)
def check(frames: int, format: str, name: str) -> Iterator[Finding]:
    if frames > 1:
        yield Finding(
            "{name} holds {frames} pictures ({format}); only the first is used.",
            "Other decoders may take another one, or refuse the file.",
            "Save the picture that is meant as a file of its own.",
            {"name": name, "frames": frames, "format": format},
        )
