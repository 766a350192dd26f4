"""A grey picture in three channels.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: gray replicated.

Why it matters
    R = G = B everywhere although the image is coloured: it was loaded or converted as grey on the way.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    cv2.imread(path, 0) and cv2.merge.

Fix
    Load the picture in colour.

Limits
    A picture that looks the same after the transformation (symmetric, grey, constant) cannot show it; the report
    then says so. Where two transformations give the same bytes, both are named.

References
    Arithmetic on the bytes: the named transformation was applied to the expected buffer and compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.diagnosis import BufferDiagnosis, measured
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CL507",
    "buffer-gray-replicated",
    over="diagnosis:gray_replicated",
    category="channel_order",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "R, G and B are equal in the submitted bytes, although the image is coloured.",
        "The luma of the expected picture, repeated three times, is the submitted buffer. The explanation "
        "re-creates {score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "Load the picture in colour (cv2.IMREAD_COLOR), and do not convert it to grey before.",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="gray_replicated",
        confidence=diagnosis.score,
    )
