"""The bytes have nothing to do with the image.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: different image.

Why it matters
    Another picture, another buffer, or a transformation that is not known here.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    The dump of another frame.

Fix
    Check which image the dump belongs to.

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
    "CN503",
    "buffer-different-image",
    over="diagnosis:different_image",
    category="other",
    severity="error",
    rank=Rank.CONTENT,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "No known transformation of this image gives the submitted bytes; the best correlation found is {correlation}.",
        "Colour orders, layouts, flips, turns, resizes, strides, types and value maps were tried, alone and "
        "together. The explanation re-creates {score_percent} % of the elements. Faults in the order in which"
        " they happened: {faults}.",
        "Check that the dump belongs to this image (--previous F compares with an earlier one) and was taken "
        "from the memory that is bound.",
        {
            "correlation": shown(parameters, "correlation"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="different_image",
        confidence=diagnosis.score,
    )
