"""The model was compiled for another chip.

What it checks
    Whether the chip of the plan can run code for the chip that the model names.

Why it matters
    rknn_init refuses it with -6: `This rknn model is for RK3566, but current platform is RK3588`. And what was learnt of
    the one chip does not hold on the other: rk3566 pads rows to 8 pixels and rk3588 to 16, two channels are NHWC on rv1106
    and NC1HWC2 elsewhere, a block has 16 channels on rv1106 and 8 on rv1106b.

How it is computed
    Chips that share one NPU (rk3566 and rk3568, rv1103 and rv1106, rv1103b and rv1106b) run each other's models.

Example
    Platform rk3588, model for rk3566.

Fix
    Build with target_platform set to the chip.

Limits
    A model file that names several chips fits all of them.

References
    RKNN Toolkit2 API reference 2.3.2, target_platform; measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation; compile logs of rknn-toolkit2 2.5.0 for every platform.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Contract
from prepcheck.core.rockchip import NPU_TAGS
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK015",
    "other-chip",
    over="model",
    category="model_conversion",
    rank=Rank.CONTRACT,
    runtimes=("rknn", "rknn1"),
    sources=(
        "runtime:G-23",
        "runtime:L-03",
        "runtime:L-04",
        "measured: librknnrt 1.5.2 under emulation",
        "RKNN Toolkit2 API reference 2.3.2, target_platform",
    ),
    scope="conversion",
)
def check(contract: Contract, platform: str) -> Iterator[Finding]:
    built = [p.lower() for p in contract.platforms or []]
    if not built or any(_npu(p) == _npu(platform) for p in built):
        return
    yield Finding(
        "The model was compiled for {built}; the plan runs it on {platform}.",
        "rknn_init refuses a model for another NPU with -6. Row padding, blocks of channels and the calls that exist differ "
        "from chip to chip, so nothing that was measured on {built} holds on {platform}.",
        "Build the model again with target_platform='{platform}', or correct `platform` in the plan.",
        {"built": ", ".join(built), "platform": platform},
    )


def _npu(platform: str) -> str:
    name = platform.removesuffix("s") if platform == "rk3588s" else platform
    return next((tag for tag, chips in NPU_TAGS.items() if name in chips), name)
