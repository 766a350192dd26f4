"""mean and std for more than 15 channels on the first generation.

What it checks
    Whether an input of a model for rk1808, rk3399pro, rv1109 or rv1126 has more than 15 channels and means or stds that do
    something.

Why it matters
    The runtime has room for 15. Newer ones reset all means to 0 and all stds to 1 (said at debug level only); older ones
    refuse rknn_inputs_set: `input[0] has 36 mean values, which is out of range (1-15)`.

How it is computed
    Channels of the input, or the length of its lists, against 15.

Example
    An input of 36 channels built with mean_values of 36 numbers.

Fix
    Build without mean_values and std_values for that input and normalise in the application.

Limits
    Lists of zeros and ones do nothing and are only reported where they are longer than 15.

References
    Strings of librknn_runtime 1.7.5; rockchip-linux/rknn-toolkit#36.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims
from prepcheck.registry import Finding, Rank, rule

MOST = 15
"""RKNN_MAX_NUM_CHANNEL of librknn_runtime 1.7.5 (printed by it)."""


@rule(
    "RK025",
    "v1-channel-limit",
    over="input",
    category="normalization",
    rank=Rank.CALL,
    runtimes=("rknn1",),
    sources=("runtime:V-05", "strings of librknn_runtime 1.7.5", "rockchip-linux/rknn-toolkit#36"),
    scope="conversion",
)
def check(dims: Dims, mean: list[float], std: list[float], label: str) -> Iterator[Finding]:
    longest = max(len(mean), len(std))
    active = any(m != 0 for m in mean) or any(s != 1 for s in std)
    if dims.c <= MOST or not (active or longest > MOST):
        return
    yield Finding(
        "{label} has {channels} channels; the runtime applies mean and std to at most {most}.",
        "Above {most} channels it resets all means to 0 and all stds to 1 without a word at the usual log level, or refuses the "
        "call (`input[0] has {channels} mean values, which is out of range (1-{most})`).",
        "Build without mean_values and std_values for this input and do (x - mean) / std in the application.",
        {"label": label, "channels": dims.c, "most": MOST, "longest": longest},
    )
