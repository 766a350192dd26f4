"""The bars of the letterbox have another value.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: letterbox fill.

Why it matters
    Training filled with one grey, the program with another; the network sees edges that it was not trained on.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    0 instead of 114.

Fix
    Fill with the training value.

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
    "RS503",
    "buffer-letterbox-fill",
    over="diagnosis:letterbox_fill",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The bars are filled with {got}, {want} is expected.",
        "Picture and position agree; only the bars differ. The explanation re-creates {score_percent} % of "
        "the elements. Faults in the order in which they happened: {faults}.",
        "Fill with {want} (as in training), or state the fill that training used.",
        {
            "got": shown(parameters, "got"),
            "want": shown(parameters, "want"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="letterbox_fill",
        confidence=diagnosis.score,
    )
