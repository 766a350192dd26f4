"""A scale of 0.

What it checks
    Whether the scale of a quantised tensor is 0.

Why it matters
    The tensor held nothing but 0 in the whole calibration: the set was black, or was not read. Every value becomes the
    same code.

How it is computed
    The scale field. scale = (max − min)/255, and the range from min to max always holds 0.

Example
    An input calibrated on black images.

Fix
    Calibrate with at least 20 to 200 real, different pictures.

Limits
    None known.

References
    Measured: rknn-toolkit2 2.5.0, scale and zero point of 214 inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT019",
    "zero-scale",
    over="note:zero_scale",
    category="quantization",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: rknn-toolkit2 2.5.0, scale and zero point of 214 inputs",),
    confidence="M",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The scale of {name} is 0: the tensor was constant in calibration.",
        "scale = (max − min)/255 over a range that always holds 0: it is 0 when every calibration value was 0; nothing can be told "
        "apart afterwards.",
        "Check dataset.txt and its images, and build again with real, different ones.",
        {"name": values["name"]},
    )
