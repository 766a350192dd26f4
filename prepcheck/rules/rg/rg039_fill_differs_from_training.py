"""Bars in another colour than in training.

What it checks
    Whether imfill paints the input's memory in the colour that training's letterbox had.

Why it matters
    The network learned that colour as "nothing". Others weaken detections near the bars.

How it is computed
    The bytes R, G, B of the word against training.fill (one number, or one for each channel).

Example
    color 0x80808080 (128) and fill 114.

Fix
    color = fill x 0x01010101.

Limits
    Where red and blue are exchanged on purpose, only gray fills can be compared; unequal channels are compared in
    either order.

References
    rknn_model_zoo demos (114); YOLO letterbox.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG039",
    "fill-differs-from-training",
    over="rga",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=("rga:Z-09",),
    confidence="M",
)
def check(color_word: int, training_fill: tuple[int, ...], operation: str) -> Iterator[Finding]:
    got = (color_word & 0xFF, color_word >> 8 & 0xFF, color_word >> 16 & 0xFF)
    want = training_fill * 3 if len(training_fill) == 1 else training_fill
    if len(want) != 3 or got in (want, want[::-1]):
        return
    yield Finding(
        "{operation} paints the bars {got}; training filled them with {want}.",
        "The word's bytes are R, G, B from the lowest on: {got}.",
        'Paint with color "{word}".',
        {
            "operation": operation, "got": [*got], "want": [*want],
            "word": f"0x{want[0] | want[1] << 8 | want[2] << 16 | want[0] << 24:08x}",
        },
    )  # fmt: skip
