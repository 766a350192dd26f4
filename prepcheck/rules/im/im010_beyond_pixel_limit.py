"""The picture is so large that it was judged by its header only.

What it checks
    Width times height against the limit of pixels that are decoded (64 megapixels).

Why it matters
    Checks on pixels did not run. On a board such a picture takes gigabytes while it is decoded.

How it is computed
    Width · height.

Example
    20000x20000 = 400000000 pixels, 1.2 GB as RGB.

Fix
    Scale it down first; or raise the limit with --max-pixels.

Limits
    An info.

References
    The limit is a choice against decompression bombs.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule

LIMIT = 64_000_000


@rule(
    "IM010",
    "beyond-pixel-limit",
    over="image",
    category="image",
    severity="info",
    rank=Rank.CONTENT,
    sources=("a choice against decompression bombs",),
)
def check(image_size: tuple[int, int], name: str) -> Iterator[Finding]:
    w, h = image_size
    if w * h > LIMIT:
        yield Finding(
            "{name} has {w}x{h} = {pixels} pixels, more than {limit}: it was judged by its header only.",
            "As RGB it takes {bytes} bytes.",
            "Scale it down, or raise the limit with --max-pixels.",
            {"name": name, "w": w, "h": h, "pixels": w * h, "limit": LIMIT, "bytes": w * h * 3},
        )
