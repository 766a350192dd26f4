"""Foreign bytes stand in front of the picture.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: header offset.

Why it matters
    A file header or a wrong offset shifts everything; the end is cut.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    A .npy file read as raw bytes: 128 bytes of header.

Fix
    Skip them.

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
    "ST502",
    "buffer-header-offset",
    over="diagnosis:header_offset",
    category="stride",
    severity="error",
    rank=Rank.STRIDE,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "{bytes} bytes stand in front of the picture, and as many are missing at its end.",
        "The expected bytes begin at offset {bytes} of the submitted buffer. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Skip the first {bytes} bytes (128: header of .npy, 54: of .bmp).",
        {
            "bytes": shown(parameters, "bytes"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="header_offset",
        confidence=diagnosis.score,
    )
