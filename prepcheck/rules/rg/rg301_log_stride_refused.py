"""RGA refused a row pitch.

What it checks
    `dst unsupport width stride 24, rgb888 width stride should be 16 aligned!`

Why it matters
    imcheck fails, nothing is converted; what reads the destination sees its old content.

How it is computed
    The pitch and the step stand in the line; the next multiple is named.

Example
    24 is no multiple of 16: 32 is the next.

Fix
    wstride = the next multiple (pad the buffer, copy the middle out), a format with another step (RGBA: 4 on RGA3),
    or the CPU.

Limits
    None known.

References
    HyperInspire/InspireFace#276; strings of librga 1.10; RGA developer guide, alignment; rga:R-A01, rga:R-A09
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import round_up
from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG301",
    "log-stride-refused",
    over="log:rga_stride",
    category="stride",
    severity="error",
    rank=Rank.STRIDE,
    sources=(
        "HyperInspire/InspireFace#276",
        "rga:R-A01",
        "rga:R-A09",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    pitch, step = first_event.number("ws") or 0, first_event.number("step") or 1
    yield Finding(
        "RGA refused the {side} buffer: its {format} rows are {pitch} pixels apart, which is no multiple of {step} (next: {above}).",
        "{pitch} / {step} = {ratio:.4g}. Nothing was written; lines after this one follow from it. The {side} keeps its old content where the "
        "program goes on.",
        "Give wstride {above} (a buffer of {above} pixels a row, the picture in its left part), choose a size whose width is a multiple of "
        "{step}, or convert this one with the CPU. Rows of {above} pixels have to be copied row by row ({pitch} of each) into an input that "
        "wants them packed, as rknn_inputs_set does.",
        {
            "side": first_event.word("side"),
            "format": first_event.word("format"),
            "pitch": pitch,
            "step": step,
            "above": round_up(pitch, step),
            "ratio": pitch / step,
        },
        about="log:rga",
    )
