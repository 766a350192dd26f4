"""Four bytes a pixel where three are expected.

What it checks
    Whether the bytes that were really submitted (--buffer) are the expected ones after: alpha channel.

Why it matters
    RGBA or BGRA pixels shift by one byte with every pixel: colours rotate and the picture is cut at three quarters.

How it is computed
    The image is taken through the plan (or the usual path) to the bytes that should be handed over. Transformations
    are applied to it, alone and composed, until one re-creates the submitted bytes; the simplest that explains them
    is named, with its parameters.

Example
    RGBA_8888 from a display buffer.

Fix
    Drop the fourth byte in the conversion.

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
    "CL506",
    "buffer-alpha-channel",
    over="diagnosis:alpha_channel",
    category="channel_order",
    severity="error",
    rank=Rank.TYPE,
    sources=("arithmetic: the transformation re-creates the bytes",),
)
def check(diagnosis: BufferDiagnosis, parameters: Mapping[str, object]) -> Iterator[Finding]:
    yield Finding(
        "The submitted bytes have four channels a pixel ({order}), the model takes three.",
        "Every fourth byte is alpha; read as three channels, each pixel starts one byte further on. The "
        "explanation re-creates {score_percent} % of the elements. Faults in the order in which they "
        "happened: {faults}.",
        "Convert {order} to RGB before handing over.",
        {
            "order": shown(parameters, "order"),
            **measured(diagnosis),
        },
        evidence=dict(diagnosis.evidence) | measured(diagnosis),
        fault="alpha_channel",
        confidence=diagnosis.score,
    )
