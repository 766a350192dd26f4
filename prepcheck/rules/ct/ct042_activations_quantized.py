"""Calibrated to int8, but the input stays float32.

What it checks
    Whether the model was quantised by MNN's offline tool.

Why it matters
    The session quantises by itself. int8 data handed over would be taken for floats.

How it is computed
    quantInfo of the input tensor.

Example
    scale 0.00787.

Fix
    Hand over float32.

Limits
    None known.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT042",
    "activations-quantized",
    over="note:activations_quantized",
    category="quantization",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: MNN 3.6.1",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Input {name} is quantised inside (scale {scale}, {type}), but takes float32.",
        "The session divides by {scale} and clips to {min}..{max} itself.",
        "Hand over float32 values.",
        {
            "name": values["name"],
            "scale": values["scale"],
            "type": values["type"],
            "min": values["min"],
            "max": values["max"],
        },
    )
