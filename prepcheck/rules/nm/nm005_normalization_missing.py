"""Nobody normalises, or half of it is missing.

What it checks
    Whether adding the maps of training to what host and model do makes the values right.

Why it matters
    A network trained on values around 0 gets 0..255 (or 0..1): activations saturate, answers are constant or random.

How it is computed
    The maps of host and model are composed for pixels 0..255 and compared with training's; then with training's added.

Example
    Trained on range [0, 1] with ImageNet's mean and std, model built without, host hands over pixels: 0..255 instead of
    −2.118..2.64.

Fix
    Build with mean and std in pixel units (123.675 and 58.395 for 0.485 and 0.229), or normalise on the host.

Limits
    What the model applies must be known: from its file, or from `build`.

References
    airockchip/rknn-toolkit2#318 (std 255 missing), PaddlePaddle/FastDeploy#2284.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.normalization import NormalizationStory
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "NM005",
    "normalization-missing",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("airockchip/rknn-toolkit2#318", "PaddlePaddle/FastDeploy#2284"),
)
def check(normalization: NormalizationStory, label: str) -> Iterator[Finding]:
    wanted = normalization.trained_range
    if normalization.kind != "missing" or wanted is None:
        return
    low, high = normalization.seen_range
    lists = normalization.repaired
    values: dict[str, Value] = {
        "label": label, "low": low, "high": high, "wanted_low": wanted[0], "wanted_high": wanted[1],
        "mean": lists.mean if lists else None, "std": lists.std if lists else None,
    }  # fmt: skip
    yield Finding(
        "{label}: neither the application nor the model normalises as training did: the network gets {low:.4g}..{high:.4g}, "
        "it was trained on {wanted_low:.4g}..{wanted_high:.4g}.",
        "Pixels 0..255 come out as {low:.4g}..{high:.4g}; what is missing is (x − {mean}) / {std}.",
        "Normalise on the host after the last step, or rebuild the model with mean and std in pixel units (255 times those of "
        "a range 0..1).",
        values,
        fault="not_normalized",
    )
