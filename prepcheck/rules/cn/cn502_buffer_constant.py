"""The buffer holds one value only.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: constant buffer.

Why it matters
    It was never written: the conversion failed and its code was ignored, or another memory was written.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    All zeros after a failed RGA call.

Fix
    Check the return codes and which memory is bound.

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
    "CN502",
    "buffer-constant",
    over="diagnosis:constant_buffer",
    category="stale_buffer",
    severity="error",
    rank=Rank.CONTENT,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "Every element of the submitted buffer is {value}.",
        "The image is not constant, so nothing of it arrived: the buffer was never written, or another one "
        "was. The explanation re-creates {score_percent} % of the elements. Faults in the order in which they"
        " happened: {faults}.",
        "Check the return code of the conversion or copy, and that the memory written is the memory bound.",
        {
            "value": shown(parameters, "value"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="constant_buffer",
        confidence=diagnosis.score,
    )
