"""Mean and std are exchanged.

What it checks
    Whether (x − std)/mean is what happens, where training did (x − mean)/std.

Why it matters
    The values have the right order of magnitude and are wrong everywhere.

How it is computed
    The maps are composed with mean and std exchanged and compared with training's.

Example
    mean [58.395, …], std [123.675, …]: pixel 128 becomes 0.56 instead of 0.07.

Fix
    Exchange the two lists.

Limits
    Needs training's mean and std.

References
    Kind of fault in PaddlePaddle/FastDeploy and rknn_model_zoo issues on mean_values/std_values; arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.normalization import NormalizationStory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM007",
    "mean-std-swapped",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic",),
)
def check(normalization: NormalizationStory, label: str) -> Iterator[Finding]:
    op, right = normalization.op, normalization.repaired
    if normalization.kind != "swapped" or op is None or right is None:
        return
    low, high = normalization.seen_range
    yield Finding(
        "{label}: mean and std are exchanged: (x − {mean}) / {std} is computed.",
        "Training has mean {right_mean} and std {right_std}. As it stands, the network gets {low:.4g}..{high:.4g}.",
        "Exchange the two lists.",
        {
            "label": label,
            "mean": op.mean,
            "std": op.std,
            "right_mean": right.mean,
            "right_std": right.std,
            "low": low,
            "high": high,
            "who": op.who,
            "step": op.step,
        },
        fault="mean_std_swapped",
    )
