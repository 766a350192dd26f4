"""The stated range cannot be held by the buffer's element type.

What it checks
    `range` of a buffer against the values of its integer type; and ranges like 0..1 or −2..2 in an integer type.

Why it matters
    −1..1 in uint8 is 0 and 1: the fractions were cut off when the values were stored, and negative values wrapped.

How it is computed
    low and high against the type's ends; a span below 8 in an integer type of pictures leaves that many values.

Example
    dtype uint8, range [-1, 1].

Fix
    Keep float32, or quantise with scale and zero point.

Limits
    Buffers with one axis (ids, masks, flags) may well hold 0..1. Not for the plan that holds where none is given.

References
    Measured: uint8(x/255) gave bit-identical outputs for all pictures (rknn-toolkit2 2.5.0 simulator).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import integer_range
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN005",
    "range-impossible-for-type",
    over="buffer",
    category="dtype",
    severity="error",
    rank=Rank.CONTENT,
    sources=("measured: rknn-toolkit2 2.5.0 simulator, uint8(x/255)",),
)
def check(
    dtype: str, stated_range: tuple[float, float], is_picture: bool, name: str, by_user: bool
) -> Iterator[Finding]:
    limits = integer_range(dtype)
    if limits is None or not by_user:
        return
    low, high = stated_range
    if low >= limits[0] and high <= limits[1] and not (is_picture and high - low < 8):
        return
    yield Finding(
        "{name} is {dtype} and stated to hold {low:.4g}..{high:.4g}: {dtype} holds whole numbers {least}..{most}.",
        "Of {low:.4g}..{high:.4g} whole numbers keep {kept} value(s); what lies outside {least}..{most} wraps or saturates.",
        "Keep float32, or quantise with scale and zero point; correct `range` or `dtype` where the plan is wrong.",
        {
            "name": name,
            "dtype": dtype,
            "low": low,
            "high": high,
            "least": limits[0],
            "most": limits[1],
            "kept": max(0, int(min(high, limits[1])) - int(max(low, limits[0])) + 1),
        },
    )
