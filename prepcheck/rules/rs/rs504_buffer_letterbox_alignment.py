"""The letterboxed picture lies elsewhere.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: letterbox alignment.

Why it matters
    Boxes come back displaced by the difference.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    Top left instead of centred; a left edge rounded down to a multiple of 4 by rknn_model_zoo.

Fix
    Use the same alignment everywhere.

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
    "RS504",
    "buffer-letterbox-alignment",
    over="diagnosis:letterbox_alignment",
    category="resize",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The picture lies at {got} (x, y), {want} is expected.",
        "Size and fill agree; only the place differs. The explanation re-creates {score_percent} % of the "
        "elements. Faults in the order in which they happened: {faults}.",
        "Use the same alignment in preprocessing, postprocessing and training.",
        {
            "got": shown(parameters, "got"),
            "want": shown(parameters, "want"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="letterbox_alignment",
        confidence=diagnosis.score,
    )
