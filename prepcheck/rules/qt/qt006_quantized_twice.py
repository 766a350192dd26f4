"""The host quantises, and the runtime is told to quantise again.

What it checks
    A quantize step on the host whose codes are handed over as a type that the runtime converts (RKNN: UINT8 or a float with
    pass_through 0).

Why it matters
    The runtime subtracts the mean and divides by std and scale once more: codes of codes.

How it is computed
    Type of the quantize step against type and pass_through of the call.

Example
    int8 codes handed over as FLOAT32: −128..127 are taken for pixel values.

Fix
    Hand over codes with their own type (INT8), or leave the quantisation to the runtime: UINT8 pixels, pass_through 0.

Limits
    RKNN only. A model of scale 1 and zero point 0 in uint8 has codes equal to pixels; it is not reported.

References
    Measured: librknnrt 1.5.2: type INT8 with pass_through 0 means "already quantised", every other type is converted.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.steps import Quantize
from prepcheck.registry import Finding, Rank, rule


@rule(
    "QT006",
    "quantized-twice",
    over="path",
    category="quantization",
    severity="error",
    rank=Rank.VALUES,
    runtimes=("rknn", "rknn1"),
    sources=("measured: librknnrt 1.5.2 under emulation", "runtime:G-18"),
)
def check(quantize: Quantize, told_type: str, told_pass_through: int, label: str) -> Iterator[Finding]:
    if told_pass_through or told_type in ("INT8", "INT16") or (quantize.scale == 1.0 and quantize.zero_point == 0):
        return
    yield Finding(
        "{label}: the host quantises to {dtype}, and the call hands the codes over as {told}, which the runtime quantises again.",
        "With type {told} and pass_through 0 the runtime computes (x − mean) / std / scale + zero point of what it gets.",
        "Leave out the quantize step, or hand the codes over with type {codes} (that is taken as already quantised).",
        {"label": label, "dtype": quantize.dtype, "told": told_type, "codes": quantize.dtype.upper()},
    )
