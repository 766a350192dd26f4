"""Mean and std are in another unit than the values they are applied to.

What it checks
    Whether 255 times (or a 255th of) mean and std makes the map that of training. Where training is not stated: whether a
    mean up to 1.5 and a std below 1 are applied to pixels 0..255.

Why it matters
    0.485 and 0.229 belong to values 0..1, 123.675 and 58.395 to pixels 0..255. Mixed, the values are 255 times too large
    or too small.

How it is computed
    The maps are composed with mean, std or both times 255 (and divided by 255) and compared with training's.

Example
    (255 − 0.485)/0.229 = 1111 instead of 2.249.

Fix
    Divide by 255 before, or use 123.675 and 58.395.

Limits
    Without training's values it is a warning: a network may have been trained so.

References
    Tencent/ncnn#4762, alibaba/MNN#936, PaddlePaddle/Paddle-Lite#9236.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.normalization import NormalizationStory
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "NM009",
    "mean-std-unit",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("Tencent/ncnn#4762", "alibaba/MNN#936", "PaddlePaddle/Paddle-Lite#9236"),
)
def check(normalization: NormalizationStory, label: str) -> Iterator[Finding]:
    op, right = normalization.op, normalization.repaired
    if normalization.kind != "unit" or op is None or right is None:
        return
    low, high = normalization.seen_range
    values: dict[str, Value] = {
        "label": label, "mean": op.mean, "std": op.std, "right_mean": right.mean, "right_std": right.std,
        "low": low, "high": high, "factor": 255, "step": op.step, "who": op.who,
    }  # fmt: skip
    severity = None if normalization.trained is not None else "warning"
    if (normalization.factor or 1) > 60000:
        yield Finding(
            "{label}: the factor is 255 · 255 = 65025 times too large: std {std} where {right_std} is meant.",
            "It was multiplied by 255 where it had to be divided: pixels 0..255 become {low:.4g}..{high:.4g}.",
            "With pixels use mean · 255 and normal / 255: std {right_std}, mean {right_mean}.",
            values,
            severity=severity,
        )
        return
    if (normalization.factor or 1) > 1:
        yield Finding(
            "{label}: mean {mean} and std {std} belong to values 0..1 but are applied to 0..255.",
            "(255 − mean) / std gives up to {high:.4g} (the largest of the channels); the unit differs by a factor of 255: mean · 255 and std · 255 are "
            "{right_mean} and {right_std}.",
            "Divide by 255 before this step, or use mean {right_mean} and std {right_std}.",
            values,
            severity=severity,
        )
        return
    yield Finding(
        "{label}: mean {mean} and std {std} are in pixels (0..255) but are applied to values 0..1.",
        "The network gets {low:.4g}..{high:.4g}; the unit differs by a factor of 255: mean / 255 and std / 255 are {right_mean} "
        "and {right_std}.",
        "Leave out the division by 255 before, or use mean {right_mean} and std {right_std}.",
        values,
        severity=severity,
    )
