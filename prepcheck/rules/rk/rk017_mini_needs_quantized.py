"""A float model for a chip that runs quantised models only.

What it checks
    Whether a model for rv1103, rv1106 or their b forms was built without quantisation.

Why it matters
    The converter refuses: `Current target_platform(rv1106) not support do_quantization = False!`, build() returns -1.

How it is computed
    `quantized: false` of the model or the build, and the chip.

Example
    build: {quantized: false}, platform rv1106.

Fix
    rknn.build(do_quantization=True, dataset=…), with mean_values and std_values as in training.

Limits
    None known.

References
    Measured: rknn-toolkit2 2.5.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK017",
    "mini-needs-quantized",
    over="model",
    category="model_conversion",
    rank=Rank.CONTRACT,
    runtimes=("rknn",),
    sources=("runtime:M-01", "measured: rknn-toolkit2 2.5.0"),
    scope="conversion",
)
def check(quantized: bool, platform: str) -> Iterator[Finding]:
    if quantized or platform not in ZERO_COPY_ONLY:
        return
    yield Finding(
        "{platform} runs quantised models only; this one is built without quantisation.",
        "rknn.build(do_quantization=False) returns -1 for {platform}: its NPU has no float path.",
        "Build with do_quantization=True and a dataset of real pictures.",
        {"platform": platform},
    )
