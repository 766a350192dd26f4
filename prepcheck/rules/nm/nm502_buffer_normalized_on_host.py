"""Normalised on the host, and the model does it too.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: normalized on host.

Why it matters
    mean and std are applied twice: the input shrinks to almost one value.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    (img - 127.5) / 127.5 before a model built with mean_values.

Fix
    Hand over raw pixels.

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
    "NM502",
    "buffer-normalized-on-host",
    over="diagnosis:normalized_on_host",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The values were normalised on the host with mean {mean} and std {std}; pixels as they are expected.",
        "(x − {mean}) / {std} of the expected pixels gives the submitted values. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Remove the normalisation on the host, or build the model with mean 0 and std 1.",
        {
            "mean": shown(parameters, "mean"),
            "std": shown(parameters, "std"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="normalized_on_host",
        severity="error" if diagnosis.settled else "info",
        confidence=diagnosis.score,
    )
