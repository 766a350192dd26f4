"""Normalised values are stored in an integer type.

What it checks
    Whether the steps bring the values to a small range (0..1, −2..2) and the result is then kept as uint8 or another
    integer type, without a quantize step.

Why it matters
    The fraction is cut off: 0..1 becomes 0 (and 1 for white), −2..2 becomes four values. Nothing complains.

How it is computed
    The range of the composed map for pixels 0..255 against the type of the last cast, or of the buffer.

Example
    scale by 1/255, then cast to uint8: 255 of 256 pixel values become 0.

Fix
    Leave the pixels as they are for a uint8 hand-over, or keep float32; for codes use round(x / scale) + zero point.

Limits
    Ranges of 32 and more are not reported.

References
    Measured: uint8(x/255) gave bit-identical outputs for all pictures (rknn-toolkit2 2.5.0 simulator).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.chain import State
from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM015",
    "fractions-as-integers",
    over="path",
    category="dtype",
    severity="error",
    rank=Rank.VALUES,
    sources=("measured: rknn-toolkit2 2.5.0 simulator, uint8(x/255)",),
)
def check(final: State, stored_dtype: str, label: str) -> Iterator[Finding]:
    if final.values is None or final.quantized is not None or "int" not in stored_dtype:
        return
    low, high = final.values.range()
    if high - low >= 32 or high - low == 0:
        return
    yield Finding(
        "{label}: values {low:.4g}..{high:.4g} are stored as {dtype}: the fractions are cut off.",
        "The steps bring pixels 0..255 to {low:.4g}..{high:.4g}; {dtype} keeps whole numbers, at most {kept} of them.",
        "Keep float32, or quantise: round(x / scale) + zero point; or hand over the pixels as they are.",
        {"label": label, "low": low, "high": high, "dtype": stored_dtype, "kept": int(high) - int(low) + 1},
    )
