"""NC1HWC2 packing where plain data is expected, or the reverse.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: nc1hwc2 packing.

Why it matters
    The NPU's own layout holds C2 channels a pixel; it belongs to pass_through 1 only.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    Native bytes handed to an NHWC binding.

Fix
    Bind with the attribute whose layout you write.

Limits
    A picture that looks the same after the transformation (symmetric, grey, constant) cannot show it; the report
    then says so. Where two transformations give the same bytes, both are named.

References
    Arithmetic on the bytes: the named transformation was applied to the expected buffer and compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.facts.diagnosis import BufferDiagnosis, measured, shown
from prepcheck.registry import Finding, Rank, rule


@rule(
    "LY508",
    "buffer-nc1hwc2-packing",
    over="diagnosis:nc1hwc2_packing",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The submitted bytes are {direction} where the other is expected (NC1HWC2, C2 = {c2}).",
        "Packing (or unpacking) the expected buffer by {c2} channels gives the submitted bytes. The "
        "explanation re-creates {score_percent} % of the elements. Faults in the order in which they "
        "happened: {faults}.",
        "Write plain NHWC with type UINT8 and pass_through 0, or native data with pass_through 1 and the "
        "native attribute, not a mixture.",
        {
            "direction": shown(parameters, "direction"),
            "c2": shown(parameters, "c2"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="nc1hwc2_packing",
        confidence=diagnosis.score,
    )
