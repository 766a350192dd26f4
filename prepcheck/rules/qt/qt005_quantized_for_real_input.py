"""The host quantises for an input that takes real values.

What it checks
    A quantize step on the host where the input is float and has no scale and zero point.

Why it matters
    Codes are taken as values: −128..127 instead of 0..1.

How it is computed
    Type of the input against the quantize step.

Example
    quantize to int8 for a float16 input.

Fix
    Leave out the quantize step; hand over the values.

Limits
    MNN models that are quantised keep float inputs: no int8 data is wanted there either.

References
    MNN: the input of a quantised model stays float32 (measured: MNN 3.6.1); airockchip/rknn-toolkit2#275.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.steps import Quantize
from prepcheck.core.dtypes import is_float
from prepcheck.registry import Finding, Rank, rule


@rule(
    "QT005",
    "quantized-for-real-input",
    over="path",
    category="quantization",
    severity="error",
    rank=Rank.VALUES,
    sources=("measured: MNN 3.6.1, input of a calibrated model", "airockchip/rknn-toolkit2#275", "mnn:F8"),
)
def check(quantize: Quantize, input_dtype: str, label: str) -> Iterator[Finding]:
    if is_float(input_dtype) and quantize.dtype != input_dtype:
        yield Finding(
            "{label} takes {dtype} values; the host quantises them to {got_dtype} (scale {scale}, zero point {zero_point}).",
            "Codes would be taken for values: code {zero_point} stands for 0 and is read as {zero_point}.",
            "Leave out the quantize step and hand over {dtype} values.",
            {
                "label": label,
                "dtype": input_dtype,
                "got_dtype": quantize.dtype,
                "scale": quantize.scale,
                "zero_point": quantize.zero_point,
            },
        )
