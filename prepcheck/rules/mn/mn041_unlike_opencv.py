"""What convert does otherwise than OpenCV, in ways that are no fault.

What it checks
    YUV sources (coefficients, sampling), GRAY, and bilinear sampling of 4-byte pixels.

Why it matters
    Comparing the input with a reference made by OpenCV shows differences. These are known and need no search.

How it is computed
    The arguments, against differences measured once.

Example
    NV12 → RGB: full-range coefficients; OpenCV's video-range conversion differs by up to 34 steps (mean 10.6).

Fix
    None needed; for cameras that deliver video range (16..235), convert with OpenCV or RGA instead.

Limits
    x86-64.

References
    Measured: MNN 3.6.1 against OpenCV 4.11.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Verdict
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN041",
    "unlike-opencv",
    over="convert",
    category="color_space",
    severity="info",
    rank=Rank.VALUES,
    runtimes=("mnn",),
    sources=("mnn:I6", "mnn:I18", "mnn:I19", "mnn:I21", "measured: MNN 3.6.1 against OpenCV 4.11"),
)
def check(planned: PlannedCall, verdict: Verdict, label: str) -> Iterator[Finding]:
    source, dest = planned.config.source_format, planned.config.dest_format
    if verdict.by_rule("mnn:I19") is not None:
        yield Finding(
            "{label}: {source} is converted with full-range coefficients (1.14, 0.39, 0.58, 2.03).",
            "R = (64Y + 73V)/64, G = (64Y − 25U − 37V)/64, B = (64Y + 130U)/64. OpenCV takes 16..235 for black to white: the two differ by up "
            "to 34 steps, 10.6 on average. Chroma is sampled NEAREST.",
            "Nothing, where the frames are full range (JPEG, most phone cameras); else convert elsewhere.",
            {"label": label, "source": source},
        )
    if verdict.by_rule("mnn:I18") is not None:
        yield Finding(
            "{label}: GRAY is (19R + 38G + 7B)/64, cut off: up to 3 below OpenCV's.",
            "OpenCV rounds 0.299R + 0.587G + 0.114B.",
            "Nothing; the difference is below that of a JPEG decoder.",
            {"label": label, "dest": dest},
        )
    if verdict.by_rule("mnn:I6") is not None:
        yield Finding(
            "{label}: bilinear of 4-byte pixels cuts off instead of rounding: about 0.4 steps darker than with {three}.",
            "The SSE path for 4 channels truncates; 3 and 1 channels are rounded.",
            "Use a 3-channel source where the last step matters.",
            {"label": label, "three": "RGB"},
            category="resize",
        )
