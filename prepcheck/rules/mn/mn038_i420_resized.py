"""I420 is resized by ImageProcess, which gets its planes wrong.

What it checks
    Source format YUV_I420 with a matrix, or with a source that is smaller than the destination.

Why it matters
    Only the copying path (no matrix) knows I420's three planes. The samplers read chroma from wrong places: colours are wrong
    everywhere, and the code is 0.

How it is computed
    The arguments.

Example
    I420 1280x720 → 640x640 with a matrix: the mean difference is 57 steps.

Fix
    Use NV12 or NV21, or convert to RGB first and resize that.

Limits
    Without a matrix and at the same size it is right.

References
    Measured: MNN 3.6.1 (8.4 to 57 steps).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Verdict
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN038",
    "i420-resized",
    over="convert",
    category="color_space",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:I20", "measured: MNN 3.6.1"),
    versions=("3.6.1",),
)
def check(planned: PlannedCall, verdict: Verdict, label: str) -> Iterator[Finding]:
    if verdict.by_rule("mnn:I20") is None:
        return
    yield Finding(
        "{label}: I420 is sampled ({sw}x{sh} → {w}x{h}), and MNN reads its chroma planes from wrong places.",
        "Only a copy without matrix knows the three planes of I420 ({luma} bytes of Y, then twice {chroma}); colours come out wrong by 8 to "
        "57 steps on average.",
        "Hand over NV12 or NV21, or convert to RGB first and resize that.",
        {
            "label": label, "sw": planned.size[0], "sh": planned.size[1], "w": planned.dest.dims.w, "h": planned.dest.dims.h,
            "luma": planned.size[0] * planned.size[1], "chroma": ((planned.size[0] + 1) // 2) * ((planned.size[1] + 1) // 2),
        },
    )  # fmt: skip
