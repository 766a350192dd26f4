"""Host and model together do not normalise as training did.

What it checks
    Whether the composed map from pixel to value is the map of training, where none of the usual causes explains the
    difference.

Why it matters
    The network gets values that it was not trained on.

How it is computed
    Both maps are evaluated for pixels 0 and 255 in every channel. Differences up to 2 % of the span are rounding, up to
    10 % a warning, beyond that an error.

Example
    Trained with mean 0.5 and std 0.5 (−1..1), host uses ImageNet's: −2.118..2.64.

Fix
    Use training's mean and std, in the unit of the values at that step.

Limits
    Needs training's range, mean or std.

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.normalization import NormalizationStory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM011",
    "normalization-differs",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic",),
)
def check(normalization: NormalizationStory, label: str) -> Iterator[Finding]:
    wanted = normalization.trained_range
    if normalization.kind not in ("near", "other") or wanted is None:
        return
    low, high = normalization.seen_range
    op = normalization.op
    yield Finding(
        "{label}: the network gets {low:.4g}..{high:.4g} for pixels 0..255; it was trained on {wanted_low:.4g}..{wanted_high:.4g}.",
        "Host and model together compute pixel · {a} + {b}; training computed pixel · {trained_a} + {trained_b} (one per channel).",
        "Use training's mean and std, in the unit of the values where they are applied.",
        {
            "label": label,
            "low": low,
            "high": high,
            "wanted_low": wanted[0],
            "wanted_high": wanted[1],
            "a": normalization.seen.a,
            "b": normalization.seen.b,
            "trained_a": normalization.trained.a if normalization.trained else None,
            "trained_b": normalization.trained.b if normalization.trained else None,
            "mean": op.mean if op else None,
            "std": op.std if op else None,
        },
        severity="warning" if normalization.kind == "near" else "error",
    )
