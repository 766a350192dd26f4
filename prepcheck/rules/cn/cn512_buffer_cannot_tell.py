"""This image cannot show a fault.

What it checks
    Whether the image is so plain that a fault would leave its bytes as they are.

Why it matters
    A constant, grey or symmetric picture looks right after a swap, a flip or a transpose.

How it is computed
    Each transformation is applied to the expected picture; those that change next to nothing are named.

Example
    A white picture: every order of its bytes is the same.

Fix
    Use a test card: `prepcheck init --test-card W H -o card.png`.

Limits
    None known.

References
    Arithmetic on the bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.diagnosis import BufferDiagnosis, measured
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN512",
    "buffer-cannot-tell",
    over="diagnosis:cannot_tell",
    category="other",
    severity="info",
    rank=Rank.CONTENT,
    sources=("arithmetic: the transformation leaves the bytes as they are",),
    scope="cannot_tell",
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "The submitted bytes agree with {image}, but this picture cannot show: {hidden}.",
        "Each of these faults would leave its bytes (nearly) as they are.",
        "Make a picture on which every fault shows: prepcheck init --test-card W H -o card.png, and repeat with it.",
        {"image": diagnosis.image, "hidden": list(diagnosis.cannot_show)},
        evidence=measured(diagnosis) | {"hidden": list(diagnosis.cannot_show)},
    )
