"""mean and std changed places.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: mean std swapped.

Why it matters
    (x − std)/mean: plausible numbers, wrong ones.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    Arguments in the wrong order.

Fix
    Exchange them.

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
    "NM505",
    "buffer-mean-std-swapped",
    over="diagnosis:mean_std_swapped",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "mean and std were exchanged: (x − std) / mean with mean {mean}, std {std}.",
        "That formula on the expected pixels gives the submitted values. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Exchange the two arguments.",
        {
            "mean": shown(parameters, "mean"),
            "std": shown(parameters, "std"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="mean_std_swapped",
        confidence=diagnosis.score,
    )
