"""The batch of the build is not the batch of the model.

What it checks
    `build.batch_size` against the images that one run of the model takes.

Why it matters
    Mini targets (rv1103, rv1106) ignore rknn_batch_size without a word; in rknn-toolkit 1, config(batch_size=100) is the
    calibration batch, and must not be taken for the model's.

How it is computed
    Comparison with the batch of the contract.

Example
    Built with rknn_batch_size 4 for rv1106: the model takes 1 image.

Fix
    Hand over as many images as the model really takes, one call after the other.

Limits
    An original network with a batch of its own multiplies; then the product is compared. Mini targets: RK018.

References
    Measured: rv1106 model built with rknn_batch_size 4 reports 1; rockchip-linux/rknn-toolkit#478, #407,
    rockchip-linux/rknn-toolkit2#141, #156.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ011",
    "build-batch",
    over="input",
    category="batch",
    severity="warning",
    rank=Rank.SIZE,
    sources=("runtime:M-11", "runtime:B-01", "rockchip-linux/rknn-toolkit#478", "rockchip-linux/rknn-toolkit2#141"),
    scope="conversion",
)
def check(batch: int, build_batch: int, label: str, mini: bool) -> Iterator[Finding]:
    if mini or build_batch == batch or (batch > 0 and build_batch and batch % build_batch == 0):
        return
    yield Finding(
        "The build says a batch of {build}; {label} takes {batch} image(s) a run.",
        "What the model takes counts: {batch}. Mini targets ignore rknn_batch_size silently, and config(batch_size=…) of "
        "rknn-toolkit 1 is the calibration's.",
        "Hand over {batch} image(s) a run, or build again and look at the first number of the shape.",
        {"build": build_batch, "batch": batch, "label": label},
        scope="conversion",
    )
