"""Normalised twice: by the application and again by the model, or two times on the host.

What it checks
    Whether leaving out one of the maps (x − mean)/std on the way from the pixel into the network makes it the map of
    training. Where training is not stated: whether what is left differs by next to nothing between black and white.

Why it matters
    The second map takes values around 0 for pixels: everything becomes nearly one value. The network gives the same
    answer for every picture, and no call reports an error.

How it is computed
    The maps of the host's steps and of the model are composed for pixels 0..255 and compared with training's; then the
    same with one map left out.

Example
    Host: (x/255 − 0.485)/0.229 = −2.118..2.249; model built with 123.675 and 58.395:
    (−2.118 − 123.675)/58.395 = −2.154 … (2.249 − 123.675)/58.395 = −2.079: a span of 0.075 where 4.367 is wanted.

Fix
    Do it in one place: hand over pixels 0..255 and leave it to the model, or build the model with mean 0 and std 1.

Limits
    A model that applies nothing, and a host that normalises, is right and not reported.

References
    PaddlePaddle/FastDeploy#2242, PaddlePaddle/PaddleClas#3007, airockchip/rknn-toolkit2#279; measured: two different
    pictures gave identical outputs (rknn-toolkit2 2.5.0 simulator).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.normalization import NormalizationStory
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "NM004",
    "normalized-twice",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("PaddlePaddle/FastDeploy#2242", "PaddlePaddle/PaddleClas#3007", "measured: rknn-toolkit2 2.5.0 simulator"),
)
def check(normalization: NormalizationStory, label: str) -> Iterator[Finding]:
    op = normalization.op
    if normalization.kind != "twice" or op is None:
        return
    low, high = normalization.seen_range
    values: dict[str, Value] = {
        "label": label, "mean": op.mean, "std": op.std, "low": low, "high": high, "span": high - low,
        "step": op.step,
    }  # fmt: skip
    wanted = normalization.trained_range
    if wanted is not None:
        values["wanted_low"], values["wanted_high"] = wanted
    if op.who == "host" and op.step is not None:
        yield Finding(
            "{label} is normalised by the model, and steps[{step}] of the application does it as well.",
            "After both, pixels 0..255 become {low:.4g}..{high:.4g}; training's values are {wanted_low:.4g}..{wanted_high:.4g}. "
            "Without steps[{step}] (mean {mean}, std {std}) the values are right.",
            "Leave out steps[{step}] and hand over what the model expects, or rebuild the model with mean 0 and std 1.",
            values,
            fault="normalized_on_host",
        )
        return
    yield Finding(
        "{label} is normalised by the application and again by the model (mean {mean}, std {std}).",
        "After both, pixels 0..255 become {low:.4g}..{high:.4g}, a span of {span:.3g}; a network cannot tell pictures apart by that."
        if wanted is None
        else "After both, pixels 0..255 become {low:.4g}..{high:.4g}, a span of {span:.3g}; training's values are "
        "{wanted_low:.4g}..{wanted_high:.4g}.",
        "Hand over pixels 0..255 and leave it to the model, or rebuild the model with mean 0 and std 1.",
        values,
        fault="normalized_on_host",
    )
