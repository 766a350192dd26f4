"""The rows lie at another pitch.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: row stride.

Why it matters
    Each row starts a little too early or late: the picture is sheared. The answer still depends on the image, so it
    looks like a bad model.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    Tight rows copied into memory with w_stride.

Fix
    Copy row by row.

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
    "ST501",
    "buffer-row-stride",
    over="diagnosis:row_stride",
    category="stride",
    severity="error",
    rank=Rank.STRIDE,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "Rows lie {got} bytes apart in the submitted buffer, {want} are expected.",
        "Laying out the expected rows {got} bytes apart gives the submitted bytes; each row is shifted by "
        "{got} − {want} bytes against the one above. The explanation re-creates {score_percent} % of the "
        "elements. Faults in the order in which they happened: {faults}.",
        "Copy row by row with a pitch of {want} bytes (or set the destination's wstride in RGA).",
        {
            "got": shown(parameters, "got"),
            "want": shown(parameters, "want"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="row_stride",
        confidence=diagnosis.score,
    )
