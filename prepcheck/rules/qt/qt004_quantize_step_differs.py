"""The quantize step uses other parameters than the input has.

What it checks
    Type, scale and zero point of the host's quantize step against those of the input.

Why it matters
    The runtime takes the codes as (code − zero point) · scale with the input's own numbers: values come out scaled and
    shifted.

How it is computed
    The type and zero point exactly, the scale within 0.5 %.

Example
    quantize with zero point 0 for an input with −128: value 0 is taken for 128 · scale.

Fix
    Use the input's type, scale and zero point.

Limits
    Inputs without scale are judged by QT005.

References
    RKNN API guide 1.5.2 §4.4.2.2; arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.steps import Quantize
from prepcheck.registry import Finding, Rank, rule


@rule(
    "QT004",
    "quantize-step-differs",
    over="path",
    category="quantization",
    severity="error",
    rank=Rank.VALUES,
    sources=("RKNN API guide 1.5.2 §4.4.2.2", "runtime:Q-01"),
)
def check(
    quantize: Quantize, input_scale: float, input_zero_point: int, input_dtype: str, label: str
) -> Iterator[Finding]:
    same_scale = abs(quantize.scale - input_scale) <= 0.005 * abs(input_scale)
    if same_scale and quantize.zero_point == input_zero_point and quantize.dtype == input_dtype:
        return
    zero = (quantize.zero_point - input_zero_point) * input_scale
    one = (
        (round(1 / quantize.scale) + quantize.zero_point - input_zero_point) * input_scale
        if quantize.scale
        else float("nan")
    )
    yield Finding(
        "{label} has {dtype}, scale {scale}, zero point {zero_point}; the quantize step uses {got_dtype}, {got_scale}, {got_zero_point}.",
        "The value 0 becomes code {got_zero_point} and is taken for {zero:.4g}; the value 1 is taken for {one:.4g}.",
        "Quantise with dtype {dtype}, scale {scale} and zero point {zero_point}.",
        {
            "label": label,
            "dtype": input_dtype,
            "scale": input_scale,
            "zero_point": input_zero_point,
            "got_dtype": quantize.dtype,
            "got_scale": quantize.scale,
            "got_zero_point": quantize.zero_point,
            "zero": zero,
            "one": one,
        },
    )
