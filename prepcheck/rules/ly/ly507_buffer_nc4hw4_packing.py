"""NC4HW4 packing where plain data is expected, or the reverse.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: nc4hw4 packing.

Why it matters
    MNN packs channels by four; bytes written in the other order land on the wrong pixels.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    memcpy of NCHW data into the host pointer of an NC4HW4 tensor.

Fix
    Copy through a host tensor.

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
    "LY507",
    "buffer-nc4hw4-packing",
    over="diagnosis:nc4hw4_packing",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The submitted bytes are {direction} where the other is expected (NC4HW4 holds four channels a pixel).",
        "Packing (or unpacking) the expected buffer by four channels gives the submitted bytes. The "
        "explanation re-creates {score_percent} % of the elements. Faults in the order in which they "
        "happened: {faults}.",
        "Go through copyFromHostTensor with a plain host tensor; never write through host().",
        {
            "direction": shown(parameters, "direction"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="nc4hw4_packing",
        confidence=diagnosis.score,
    )
