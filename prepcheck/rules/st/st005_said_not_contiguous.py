"""The buffer is said not to be contiguous.

What it checks
    `contiguous: false` of the buffer that is handed over, without strides that would tell how it lies.

Why it matters
    Calls that take a pointer and a size read packed memory.

How it is computed
    As stated.

Example
    contiguous: false after a crop.

Fix
    Make it contiguous before the call; or state its strides, so that it can be judged.

Limits
    With strides, ST001 to ST004 judge. MNN's Python tensors copy views right.

References
    Tencent/ncnn#397, jaylfc/taOS#43.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "ST005",
    "said-not-contiguous",
    over="handover",
    category="stride",
    severity="warning",
    rank=Rank.STRIDE,
    sources=("Tencent/ncnn#397", "jaylfc/taOS#43"),
    confidence="M",
)
def check(said_contiguous: bool, label: str, api: str) -> Iterator[Finding]:
    if said_contiguous:
        return
    yield Finding(
        "{api}: the array for {label} is said not to be contiguous, and is read as packed memory.",
        "A crop, a transposed or a mirrored view has gaps or another order in memory; a pointer and a size do not tell.",
        "Make it contiguous before the call (numpy.ascontiguousarray, clone), or state its `strides`.",
        {"api": api, "label": label},
    )
