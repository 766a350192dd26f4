"""The bytes are those of 16-bit floats.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: float16 bytes.

Why it matters
    Two bytes a value where one is expected.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    Half floats for a UINT8 input.

Fix
    Hand over the type that is declared.

Limits
    A picture that looks the same after the transformation (symmetric, grey, constant) cannot show it; the report
    then says so. Where two transformations give the same bytes, both are named.

References
    Arithmetic on the bytes: the named transformation was applied to the expected buffer and compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.diagnosis import BufferDiagnosis, measured
from prepcheck.registry import Finding, Rank, rule


@rule(
    "DT503",
    "buffer-float16-bytes",
    over="diagnosis:float16_bytes",
    category="dtype",
    severity="error",
    rank=Rank.TYPE,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "The submitted bytes are 16-bit floats, cut or padded to the expected length.",
        "Read as float16 they are the expected values. The explanation re-creates {score_percent} % of the "
        "elements. Faults in the order in which they happened: {faults}.",
        "Convert to the declared element type, or declare FLOAT16 and its size (twice as many bytes).",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="float16_bytes",
        confidence=diagnosis.score,
    )
