"""The submitted bytes differ and nothing known explains it.

What it checks
    Whether the submitted bytes are neither the expected ones nor a known transformation of the image.

Why it matters
    The network sees something else than it should. Which step did it cannot be said from the bytes alone.

How it is computed
    All transformations were tried, alone and composed; none re-creates the bytes within tolerance.

Example
    A picture with a logo drawn over it.

Fix
    Dump the buffer after each step and give each dump: the first that is no longer explained names the step.

Limits
    A transformation outside the vocabulary (denoising, gamma, a drawing over the picture) ends here.

References
    Arithmetic on the bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.diagnosis import BufferDiagnosis, measured
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN511",
    "buffer-not-explained",
    over="diagnosis:not_explained",
    category="other",
    severity="error",
    rank=Rank.CONTENT,
    sources=("arithmetic: no transformation re-creates the bytes",),
    confidence="M",
)
def check(diagnosis: BufferDiagnosis) -> Iterator[Finding]:
    yield Finding(
        "The submitted bytes are not what {image} should have become, and no known transformation explains them.",
        "Best correlation with the expected picture: {correlation:.3g} (1 = the same up to brightness). The closest "
        "explanation re-creates {score_percent} % of the elements.",
        "Dump the buffer after each step (decode, conversion, resize, copy) and give each with --buffer: the first one that "
        "is not explained names the step.",
        {
            "image": diagnosis.image,
            "correlation": diagnosis.correlation or 0.0,
            "score_percent": round(100 * diagnosis.score, 2),
        },
        evidence=measured(diagnosis),
    )
