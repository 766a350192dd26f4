"""mean and normal are given to a convert into a uint8 tensor, where they have no effect.

What it checks
    Element type of the destination, where mean is not 0 or normal not 1.

Why it matters
    ImageProcess applies (x − mean)·normal to float destinations only. The network gets 0..255 where it was trained on values
    around 0.

How it is computed
    The arguments.

Example
    mean 103.94, normal 0.017, destination uint8 NHWC: values stay 0..255 instead of −2.1..2.6.

Fix
    A float32 destination; where the network takes uint8, leave mean and normal out.

Limits
    None known.

References
    alibaba/MNN#1076; measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN027",
    "uint8-ignores-mean",
    over="convert",
    category="normalization",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:I16", "alibaba/MNN#1076", "measured: MNN 3.6.1"),
)
def check(planned: PlannedCall, label: str) -> Iterator[Finding]:
    config = planned.config
    if planned.dest.dtype != "uint8" or (not any(config.mean) and all(n == 1 for n in config.normal)):
        return
    channels = min(4, max(1, planned.dest.dims.c))
    low = min((0 - m) * n for m, n in zip(config.mean[:channels], config.normal[:channels], strict=True))
    high = max((255 - m) * n for m, n in zip(config.mean[:channels], config.normal[:channels], strict=True))
    yield Finding(
        "{label}: mean {mean} and normal {normal} have no effect on a uint8 destination: values stay 0..255.",
        "ImageProcess normalises float destinations only. (x − mean)·normal would have made {low:.4g}..{high:.4g}.",
        "Give it a float32 tensor of the same sizes; if the network really takes uint8, leave mean and normal out.",
        {
            "label": label, "mean": config.mean[:channels], "normal": config.normal[:channels], "low": min(low, high),
            "high": max(low, high),
        },
    )  # fmt: skip
