"""The whole picture is displaced.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: shifted.

Why it matters
    A wrong offset into the buffer, a rect that starts elsewhere, a missing half-pixel shift at large scales.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    One row too late.

Fix
    Mend the offset.

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
    "RS506",
    "buffer-shifted",
    over="diagnosis:shifted",
    category="resize",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The picture is displaced by {dx} pixels to the right and {dy} down.",
        "Moving the expected picture by that gives the submitted one. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Check the offset into the buffer and the rect of the conversion.",
        {
            "dx": shown(parameters, "dx"),
            "dy": shown(parameters, "dy"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="shifted",
        confidence=diagnosis.score,
    )
