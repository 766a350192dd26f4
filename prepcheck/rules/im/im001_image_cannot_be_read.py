"""The image cannot be read.

What it checks
    Whether an image file that was given opens and decodes.

Why it matters
    A file that is cut short decodes to grey below a row in many programs, or to nothing in others; what the network then
    answers says nothing about the model.

How it is computed
    The header is read first; pixels are decoded only where they are needed, and within the limit of pixels.

Example
    A JPEG of 10 kB whose download stopped at 4 kB.

Fix
    Give a readable image.

Limits
    Where it is the only image, nothing can be judged, and the answer is exit code 2.

References
    Pillow (header and decoder).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "IM001",
    "image-cannot-be-read",
    over="image",
    category="image",
    severity="error",
    rank=Rank.CONTENT,
    sources=("Pillow",),
)
def check(decode_error: str) -> Iterator[Finding]:
    yield Finding(
        "{problem}",
        "The header could be read, the pixels could not.",
        "Give a readable image.",
        {"problem": decode_error},
    )
