"""A convert that would be a plain copy of uint8 pixels writes nothing.

What it checks
    The same source and destination format, a uint8 destination, no matrix and a source that is large enough.

Why it matters
    ImageProcess finds nothing to do and leaves the destination untouched; the code is 0. The network runs on old or
    uninitialised memory. MNN.cv.resize to the picture's own size returns uninitialised memory for the same reason.

How it is computed
    The arguments.

Example
    RGB → RGB, uint8 NHWC, 224x224 to 224x224.

Fix
    Copy the bytes directly (memcpy, copyFromHostTensor).

Limits
    A float destination is written; so is one of another format or size.

References
    Measured: MNN 3.6.1; source: ImageProcess.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Effect, Verdict
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN029",
    "uint8-copy-does-nothing",
    over="convert",
    category="stale_buffer",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:I8", "measured: MNN 3.6.1", "source: MNN ImageProcess.cpp"),
)
def check(planned: PlannedCall, verdict: Verdict, label: str) -> Iterator[Finding]:
    issue = verdict.by_rule("mnn:I8")
    if issue is None:
        return
    yield Finding(
        "{label}: {format} to {format} into uint8 of the same size without a matrix: ImageProcess does nothing and returns 0."
        + (
            " The destination keeps what it held."
            if issue.effect is Effect.NOTHING
            else " The destination gets uninitialised memory."
        ),
        "It looks for a conversion, finds none to do, and leaves the destination alone ({w}x{h}).",
        "Copy the pixels directly into the tensor (copyFromHostTensor with a uint8 host tensor).",
        {"label": label, "format": planned.config.source_format, "w": planned.dest.dims.w, "h": planned.dest.dims.h},
    )
