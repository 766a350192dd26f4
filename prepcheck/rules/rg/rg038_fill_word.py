"""A fill colour given as one byte.

What it checks
    Whether imfill's 32-bit word sets only red, where gray is meant.

Why it matters
    The word holds R, G, B and A in its four bytes. 0x72 alone paints (114, 0, 0): red bars.

How it is computed
    Lowest byte set, the other three 0 (and the lowest not 255, which is a meant red).

Example
    color 0x72: R = 114, G = 0, B = 0; gray 114 is 0x72727272.

Fix
    Repeat the byte: value x 0x01010101.

Limits
    None.

References
    RGA developer guide, imfill; copies of rknn_model_zoo's convert_image that pass a char.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Surface
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG038",
    "fill-word",
    over="rga",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=("rga:Z-09", "rga:Z-01", "RGA developer guide, imfill"),
    confidence="M",
)
def check(color_word: int, dst: Surface, operation: str) -> Iterator[Finding]:
    if not 0 < color_word < 0xFF or dst.format.kind == "gray":
        return
    yield Finding(
        "{operation} paints with the word {word}: R = {red}, G = 0, B = 0.",
        "The lowest byte is red, then green, blue and alpha; gray {red} is {gray}.",
        'Write the byte four times: color "{gray}".',
        {
            "operation": operation,
            "word": f"0x{color_word:02x}",
            "red": color_word,
            "gray": f"0x{color_word * 0x01010101:08x}",
        },
    )
