"""Every byte is off by 128: signed and unsigned confused.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: signed offset.

Why it matters
    uint8 pixels in int8 memory (or the reverse): bright becomes dark at 128.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    Pixels bound as INT8 with pass_through 1.

Fix
    Bind as UINT8 with pass_through 0.

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
    "DT501",
    "buffer-signed-offset",
    over="diagnosis:signed_offset",
    category="dtype",
    severity="error",
    rank=Rank.TYPE,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "Every byte differs by 128 (xor 0x80): signed and unsigned are confused.",
        "Turning the top bit of each expected byte gives the submitted one. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Bind the memory as UINT8 with pass_through 0 for pixels, or subtract 128 for a model of zero point −128.",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="signed_offset",
        confidence=diagnosis.score,
    )
