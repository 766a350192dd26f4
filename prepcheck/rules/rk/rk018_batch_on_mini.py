"""rknn_batch_size on a chip that takes one image a run.

What it checks
    Whether a model for rv1103, rv1106 or their b forms was built with rknn_batch_size above 1.

Why it matters
    The simulator returns a row per image; on the device the runtime reports dims[0] = 1 and reads the first image only.

How it is computed
    rknn_batch_size of the contract or the build, and the chip.

Example
    rknn_batch_size=4 for rv1106.

Fix
    Build with rknn_batch_size 1 and run once per image.

Limits
    None known.

References
    Measured: librknnmrt 2.3.2 under emulation with a model of batch 2; a public report about rv1106 and batch 4.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK018",
    "batch-on-mini",
    over="model",
    category="batch",
    rank=Rank.CONTRACT,
    runtimes=("rknn",),
    sources=("runtime:M-11", "measured: librknnmrt 2.3.2 under emulation"),
    scope="conversion",
)
def check(stated_batch: int, platform: str) -> Iterator[Finding]:
    if stated_batch < 2 or platform not in ZERO_COPY_ONLY:
        return
    yield Finding(
        "The model is built for {batch} images a run; {platform} takes 1.",
        "Built with rknn_batch_size {batch}, the runtime of {platform} reports dims[0] = 1 and reads the first image; the "
        "other {rest} are ignored, although the simulator answers for all {batch}.",
        "Build with rknn_batch_size 1 and call rknn_run once for each image.",
        {"batch": stated_batch, "platform": platform, "rest": stated_batch - 1},
        about="inputs[0]",
    )
