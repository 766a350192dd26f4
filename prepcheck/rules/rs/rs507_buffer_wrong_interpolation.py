"""Another filter than the plan names.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: wrong interpolation.

Why it matters
    Bicubic, nearest or area in place of bilinear changes the pixels a little; accuracy usually suffers little.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    cv2.INTER_NEAREST in place of INTER_LINEAR.

Fix
    Use the filter of training.

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
    "RS507",
    "buffer-wrong-interpolation",
    over="diagnosis:wrong_interpolation",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The picture was scaled with {filter}, not with the filter that the plan names.",
        "The submitted bytes fit {filter} better than any implementation of the named filter. The explanation"
        " re-creates {score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Use the filter that training used, or name {filter} in the plan.",
        {
            "filter": shown(parameters, "filter"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="wrong_interpolation",
        severity="warning" if diagnosis.filter_stated else "info",
        confidence=diagnosis.score,
    )
