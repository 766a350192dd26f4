"""The picture has more than 8 bits a channel.

What it checks
    16-bit and 32-bit modes.

Why it matters
    Decoders disagree: OpenCV scales to 8 bits by default, Pillow clips at 255 unless told otherwise (everything white), a raw
    read takes two bytes for two pixels.

How it is computed
    The mode in the header.

Example
    A 16-bit PNG of a depth camera: values 0..65535 / 256 = 0..255.

Fix
    Convert to 8 bits the way training did.

Limits
    Here 16-bit pictures are scaled by 1/256, as OpenCV does.

References
    OpenCV documentation (IMREAD_ANYDEPTH); Pillow documentation, modes I;16 and F.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "IM004",
    "deep-pixels",
    over="image",
    category="image",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("OpenCV documentation, ImreadModes",),
)
def check(bits: int, mode: str, name: str) -> Iterator[Finding]:
    if bits <= 8:
        return
    yield Finding(
        "{name} has {bits} bits a channel (mode {mode}); the input gets 8-bit pixels.",
        "Decoders disagree on the way: OpenCV scales by 1/256, Pillow clips at 255, a raw read takes two bytes for two pixels.",
        "Convert to 8 bits the way training did, and save as such.",
        {"name": name, "bits": bits, "mode": mode},
    )
