"""The zero point is no code of the element type.

What it checks
    qmin ≤ zero point ≤ qmax of the input's type: −128..127 for int8, 0..255 for uint8.

Why it matters
    Zero point, scale and type were taken from different places: from the attribute of another type, from another tensor,
    from a struct of another version of the header. Values quantised with them are shifted or wrap.

How it is computed
    Comparison with the range of the type.

Example
    uint8 with zero point −16: −16 < 0.

Fix
    Take all three from one query; −16 belongs to int8 (the same in uint8 is 112 = −16 + 128).

Limits
    Types without zero point (floats, int32 and wider) are not judged.

References
    airockchip/rknn-toolkit2#308.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import integer_range, is_quantizable
from prepcheck.registry import Finding, Rank, rule


@rule(
    "QT001",
    "zero-point-outside-type",
    over="input",
    category="quantization",
    severity="error",
    rank=Rank.CONTRACT,
    sources=("airockchip/rknn-toolkit2#308",),
)
def check(dtype: str, zero_point: int, label: str) -> Iterator[Finding]:
    limits = integer_range(dtype)
    if limits is None or not is_quantizable(dtype) or limits[0] <= zero_point <= limits[1]:
        return
    low, high = limits
    other = zero_point + 128 if dtype.startswith("u") else zero_point - 128
    yield Finding(
        "{label}: zero point {zero_point} cannot belong to {dtype} ({low}..{high}).",
        "{zero_point} lies outside {low}..{high}: type and parameters contradict each other, they come from different places.",
        "Take type, zero point and scale from one query. For {dtype} the zero point would be {other} if {zero_point} is that of the "
        "type with the other sign.",
        {"label": label, "zero_point": zero_point, "dtype": dtype, "low": low, "high": high, "other": other},
    )
