"""The picture is in colours of print or of a laboratory.

What it checks
    Modes CMYK, LAB and HSV.

Why it matters
    Decoders convert them with or without the colour profile and, for CMYK JPEGs of some programs, inverted: the same file
    gives different colours on the PC and on the board.

How it is computed
    The mode in the header.

Example
    A CMYK JPEG from a print shop.

Fix
    Convert to RGB once, with its profile, and use that file everywhere.

Limits
    YCbCr is the ordinary inside of JPEGs and not meant here.

References
    Pillow documentation, modes; libjpeg-turbo (Adobe inverted CMYK).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "IM005",
    "print-colors",
    over="image",
    category="image",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("Pillow documentation, modes",),
)
def check(mode: str, name: str) -> Iterator[Finding]:
    if mode not in ("CMYK", "LAB", "HSV"):
        return
    yield Finding(
        "{name} is a {mode} picture; decoders turn it into RGB in different ways.",
        "With or without the colour profile, inverted or not: what the network gets depends on the decoder.",
        "Convert it to RGB once, and use that file everywhere.",
        {"name": name, "mode": mode},
    )
