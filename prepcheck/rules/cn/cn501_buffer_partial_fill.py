"""Only the first rows are filled.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: partial fill.

Why it matters
    The rest is what was there before: a copy that was too short, a conversion that was still running, a cache that
    was not flushed.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    A memcpy of width·height bytes for three channels.

Fix
    Copy all of it, and wait for it.

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
    "CN501",
    "buffer-partial-fill",
    over="diagnosis:partial_fill",
    category="stale_buffer",
    severity="error",
    rank=Rank.CONTENT,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The first {rows} rows are right, the rest is {rest}.",
        "The expected picture down to row {rows} and {rest} after it is the submitted buffer. The explanation"
        " re-creates {score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Copy the whole picture, wait for the conversion to end, and flush the cache before the run.",
        {
            "rows": shown(parameters, "rows"),
            "rest": shown(parameters, "rest"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="partial_fill",
        confidence=diagnosis.score,
    )
