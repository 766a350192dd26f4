"""The bytes of each element stand in reverse order.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: byte order.

Why it matters
    Big-endian data on a little-endian board: values are nonsense.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    An array of dtype '>f4'.

Fix
    Convert to native order.

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
    "DT504",
    "buffer-byte-order",
    over="diagnosis:byte_order",
    category="dtype",
    severity="error",
    rank=Rank.TYPE,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "The bytes of each element are in reverse order (big-endian).",
        "Reversing the bytes of each element gives the expected values. The explanation re-creates "
        "{score_percent} % of the elements. Faults in the order in which they happened: {faults}.",
        "arr.astype(arr.dtype.newbyteorder('<')) before handing over.",
        measured(diagnosis),
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="byte_order",
        confidence=diagnosis.score,
    )
