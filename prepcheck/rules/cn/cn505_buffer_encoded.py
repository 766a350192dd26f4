"""The file itself was handed over, not its pixels.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: encoded bytes.

Why it matters
    JPEG or PNG bytes look like noise to the network.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    open(path, 'rb').read() as input.

Fix
    Decode first.

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
    "CN505",
    "buffer-encoded",
    over="diagnosis:encoded_bytes",
    category="image",
    severity="error",
    rank=Rank.CONTENT,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The submitted bytes are a {format} file, not pixels.",
        "They begin with the signature of {format}. The explanation re-creates {score_percent} % of the "
        "elements. Faults in the order in which they happened: {faults}.",
        "Decode the picture (cv2.imdecode, Pillow) and hand over the pixels.",
        {
            "format": shown(parameters, "format"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="encoded_bytes",
        confidence=diagnosis.score,
    )
