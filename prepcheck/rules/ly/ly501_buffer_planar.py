"""The planes follow each other where pixels are expected.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: planar instead of
    interleaved.

Why it matters
    CHW data in an HWC input is seen as three narrow grey stripes. The byte count is the same, so nothing complains.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    np.transpose(img, (2, 0, 1)) left from the ONNX script.

Fix
    Hand over HWC.

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
    "LY501",
    "buffer-planar",
    over="diagnosis:planar_instead_of_interleaved",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "The submitted bytes are planar (CHW): all of one channel, then the next; interleaved pixels (HWC) "
        "are expected.",
        "Moving the channel axis of the expected buffer to the front gives the submitted bytes; the count of "
        "bytes is the same, which hides it. The explanation re-creates {score_percent} % of the elements. "
        "Faults in the order in which they happened: {faults}.",
        "Do not transpose before handing over (remove np.transpose(…, (2, 0, 1))).",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="planar_instead_of_interleaved",
        confidence=diagnosis.score,
    )
