"""The buffer holds another frame.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: stale buffer.

Why it matters
    The new frame never reached the memory: the answer lags by one, or stays.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    The frame before.

Fix
    Write before each run, and into the memory that is bound.

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
    "CN504",
    "buffer-stale",
    over="diagnosis:stale_buffer",
    category="stale_buffer",
    severity="error",
    rank=Rank.CONTENT,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The submitted buffer is that of {same_as}, not of this image.",
        "The expected buffer of {same_as} equals the submitted bytes. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Write the input before every run, check the conversion's return code, and sync the cache.",
        {
            "same_as": shown(parameters, "same_as"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="stale_buffer",
        confidence=diagnosis.score,
    )
