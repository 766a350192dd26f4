"""Quantised codes given to the simulator.

What it checks
    Whether an int8 array goes into inference() of rknn-toolkit2 for an int8 model.

Why it matters
    The simulator takes every array as real values and quantises them itself: codes -128…127 are read as the values
    -128…127. On the board the C interface takes INT8 as codes. The two sides give different answers without a message.

How it is computed
    Library, type of the array, scheme of the input.

Example
    (pixels - 128).astype(int8) for a model with zero point -128 and scale 1: half of all values are below its range.

Fix
    Give the pixels as uint8 (or real values as float32) on the PC.

Limits
    An input whose real values are small whole numbers looks the same: a warning.

References
    Measured: simulator of rknn-toolkit2 2.5.0 and librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK040",
    "inference-codes",
    over="inference_input",
    category="quantization",
    severity="warning",
    rank=Rank.TYPE,
    runtimes=("rknn",),
    sources=("runtime:P-05", "measured: simulator of rknn-toolkit2 2.5.0"),
)
def check(library: str, content_dtype: str, pass_through: int, input: InputThing, label: str) -> Iterator[Finding]:
    if library != "rknn-toolkit2" or pass_through or content_dtype != "int8" or input.tensor.dtype != "int8":
        return
    low, high = input.value_range
    yield Finding(
        "{label} gets an int8 array; the simulator reads its numbers as values -128..127, not as codes.",
        "The codes of this model hold {low}..{high} (scale {scale}, zero point {zero_point}). The simulator quantises the array "
        "once more; on the board INT8 means codes, so the two answers differ.",
        "Give uint8 pixels or float32 values to inference() on the PC.",
        {"label": label, "low": low, "high": high, "scale": input.scale, "zero_point": input.zero_point},
    )
