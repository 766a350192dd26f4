"""BICUBIC of ImageProcess is NEAREST in the released library.

What it checks
    The filter.

Why it matters
    The wheel 3.6.1 samples NEAREST when BICUBIC is set; newer sources have a real filter with a = −0.5 (OpenCV: −0.75). The
    result depends on the version and matches no training.

How it is computed
    The argument; impulse response of the library.

Example
    224x224 from a photo: mean difference 4.6 steps to OpenCV's INTER_CUBIC.

Fix
    BILINEAR with the half-pixel matrix equals OpenCV's INTER_LINEAR.

Limits
    Without a change of size nothing is filtered.

References
    Measured: MNN 3.6.1; source of alibaba/MNN newer than the wheel.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN040",
    "bicubic",
    over="convert",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    runtimes=("mnn",),
    sources=("mnn:I7", "measured: MNN 3.6.1"),
)
def check(filter_stated: str, sizes_differ: bool, label: str) -> Iterator[Finding]:
    if filter_stated != "bicubic" or not sizes_differ:
        return
    yield Finding(
        "{label}: filter bicubic is NEAREST in MNN 3.6.1, and a filter of its own (a = −0.5) in newer sources.",
        "Neither equals OpenCV's INTER_CUBIC (a = −0.75) or Pillow's; the difference is 4.6 steps on average.",
        "Use bilinear with the half-pixel matrix, which equals OpenCV's INTER_LINEAR within one step.",
        {"label": label},
    )
