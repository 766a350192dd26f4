"""The buffer's file holds one value only.

What it checks
    Smallest and largest value of the buffer's file.

Why it matters
    A buffer of one value was never written, or written before the picture arrived. Constant pictures also hide every fault
    of layout, stride and order: a test with them proves nothing.

How it is computed
    low == high over all elements.

Example
    All 1228800 bytes are 0.

Fix
    Check the return code of the conversion or copy that fills it. For tests use a ramp or a photo.

Limits
    Buffers of fewer than 16 elements (thresholds, ids) and views are not judged.

References
    alibaba/MNN#2420 (constant pictures agree, real ones do not).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.world import ArrayFacts
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN001",
    "constant-content",
    over="buffer",
    category="stale_buffer",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("alibaba/MNN#2420",),
)
def check(file_array: ArrayFacts, name: str) -> Iterator[Finding]:
    if file_array.low is None or file_array.low != file_array.high or file_array.nbytes < 16:
        return
    yield Finding(
        "Every element of {name} is {value} ({bytes} bytes).",
        "A buffer of one value was never written, or before the picture arrived. It also hides faults of layout, stride and order.",
        "Check what fills it and its return code; for a test use a photo or a ramp.",
        {"name": name, "value": file_array.low, "bytes": file_array.nbytes},
        fault="constant_buffer",
    )
