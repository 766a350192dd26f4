"""The scale of a quantised input is zero, negative or no number.

What it checks
    scale > 0 and finite, for types that are quantised.

Why it matters
    value = (code − zero point) · scale: with 0 all values are 0, and x / 0 on the way in is infinite or NaN.

How it is computed
    Comparison with 0.

Example
    scale 0.0 with type int8: an attribute that was never filled in (rknn_query failed, or n_dims 0).

Fix
    Query again and check the return code; read the model with `prepcheck inspect`.

Limits
    Float inputs carry a meaningless scale (1.0 or 0.0) and are not judged.

References
    rockchip-linux/rknn-toolkit#440 (attributes left at 0 after a failed query).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from prepcheck.core.dtypes import is_quantizable
from prepcheck.registry import Finding, Rank, rule


@rule(
    "QT002",
    "scale-not-positive",
    over="input",
    category="quantization",
    severity="error",
    rank=Rank.CONTRACT,
    sources=("rockchip-linux/rknn-toolkit#440",),
)
def check(dtype: str, scale: float, label: str) -> Iterator[Finding]:
    if not is_quantizable(dtype) or (scale > 0 and math.isfinite(scale)):
        return
    yield Finding(
        "{label}: scale {scale} is no step of a quantised {dtype} input.",
        "A value is (code − zero point) · scale; with {scale} no value but 0, or none at all, can be given.",
        "Query the attribute again and check the return code; `prepcheck inspect` shows what the model file holds.",
        {"label": label, "scale": scale, "dtype": dtype},
    )
