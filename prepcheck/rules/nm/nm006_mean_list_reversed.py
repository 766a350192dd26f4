"""The mean or std list stands in the other channel order.

What it checks
    Whether turning the list of three values round makes the map that of training.

Why it matters
    Red is shifted by blue's mean and blue by red's: a constant tint, answers off by a few percent, no error.

How it is computed
    The maps are composed and compared with training's channel by channel, also with each list turned round. Where R and B
    of the picture itself are exchanged against training, training's lists are exchanged before the comparison.

Example
    mean [103.53, 116.28, 123.675] applied to an RGB picture; training has 123.675 on red.

Fix
    Turn the list round, or hand over the picture in the order of the list.

Limits
    Lists whose first and last value agree within 2 % of the range are the same.

References
    alibaba/MNN#1134 (one of two preprocessings has mean 123 on blue), measured: MNN applies mean in the order of the
    destination.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.normalization import NormalizationStory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM006",
    "mean-list-reversed",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("alibaba/MNN#1134", "measured: MNN 3.6.1, ImageProcess"),
)
def check(normalization: NormalizationStory, label: str) -> Iterator[Finding]:
    op, right = normalization.op, normalization.repaired
    if normalization.kind != "order" or op is None or right is None:
        return
    yield Finding(
        "{label}: mean {mean} and std {std} stand in the other channel order than the picture.",
        "The first value goes to the first channel: {first} is subtracted where training subtracted {wanted}. Turned round, the "
        "values are those of training.",
        "Use mean {right_mean} and std {right_std}, or exchange R and B of the picture (not both).",
        {
            "label": label,
            "mean": op.mean,
            "std": op.std,
            "first": op.mean[0],
            "wanted": right.mean[0],
            "right_mean": right.mean,
            "right_std": right.std,
            "who": op.who,
            "step": op.step,
        },
    )
