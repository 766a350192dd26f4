"""The build's mean or std list does not have one value per channel.

What it checks
    Whether `build.mean` and `build.std` hold as many numbers for an input as the input has channels.

Why it matters
    Every channel has its own mean and std. The toolkit of RKNN stops at load ("The len of mean_values … is wrong"); the
    v1 runtime takes at most 15 values for one input; where a list is accepted all the same, channels are normalised with
    the wrong numbers.

How it is computed
    Length of the list for the input against its channels C.

Example
    mean [0, 0, 0] for a feature map of 8x8x48: 3 values, 48 channels.

Fix
    One value per channel: `[0] * 48` and `[1] * 48` where nothing is to be done.

Limits
    Four-dimensional inputs only: for others the axis that counts as channels is not documented. What a model file holds
    is judged by the contract rules.

References
    Z-Xiong/LightTrack-ncnn#19; rockchip-linux/rknn-toolkit#36 (36 values, at most 15); measured: rknn-toolkit2 2.5.0
    stops with "The len of mean_values ([0, 0]) for input 0 is wrong, expect 3!".
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims
from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM001",
    "build-list-length",
    over="input",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("Z-Xiong/LightTrack-ncnn#19", "rockchip-linux/rknn-toolkit#36", "measured: rknn-toolkit2 2.5.0 load_onnx"),
    scope="conversion",
)
def check(dims: Dims, build_lists: list[tuple[str, list[float]]], label: str) -> Iterator[Finding]:
    for name, values in build_lists:
        if len(values) != dims.c:
            yield Finding(
                "build.{list} has {count} values for {label}, which has {channels} channels.",
                "One value belongs to each channel of the input: {channels} are wanted, {count} are given. The converter stops, or "
                "channels are normalised with numbers that are not theirs.",
                "Give {channels} values: `[0] * {channels}` for mean and `[1] * {channels}` for std where nothing is to be done.",
                {"list": name, "count": len(values), "channels": dims.c, "label": label},
            )
            return
