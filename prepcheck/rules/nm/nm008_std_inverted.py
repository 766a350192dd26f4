"""The factor was given where the divisor belongs, or the divisor for the factor.

What it checks
    Whether 1/std in place of std makes the map that of training. Where training is not stated: whether a std so small
    (below 0.05) is applied to pixels that values beyond 5000 come out.

Why it matters
    Toolkits disagree: RKNN, torchvision and OpenVINO divide by std; MNN's normal, ncnn's norm and TNN's scale multiply.
    The values are wrong by the square of the std.

How it is computed
    The maps are composed with the inverse (also times 255) and compared with training's.

Example
    normal 68.57847 in MNN: (255 − 140.97) · 68.58 = 7820; 1/68.57847 = 0.0145818 gives 1.66.

Fix
    Give the inverse.

Limits
    Without training's values a small std is only a warning.

References
    alibaba/MNN#854, alibaba/MNN#936, Tencent/ncnn#4762; measured: MNN 3.6.1 (values −7222..8691).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.normalization import NormalizationStory
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "NM008",
    "std-inverted",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("alibaba/MNN#854", "alibaba/MNN#936", "Tencent/ncnn#4762", "measured: MNN 3.6.1"),
)
def check(normalization: NormalizationStory, label: str) -> Iterator[Finding]:
    op, right = normalization.op, normalization.repaired
    if normalization.kind != "reciprocal" or op is None or right is None:
        return
    low, high = normalization.seen_range
    factors = op.kind == "image_process"
    given = tuple(1 / s for s in op.std if s) if factors else op.std
    values: dict[str, Value] = {
        "label": label, "given": given, "first": given[0], "wanted": 1 / right.std[0] if factors else right.std[0],
        "mean": op.mean, "low": low, "high": high, "step": op.step, "who": op.who,
    }  # fmt: skip
    severity = None if normalization.trained is not None else "warning"
    if factors:
        yield Finding(
            "{label}: normal {given} multiplies in MNN; the standard deviation was given, its inverse is needed.",
            "(x − mean) · normal brings pixels 0..255 to {low:.4g}..{high:.4g} over all channels; 1/{first} = {wanted:.4g} is wanted.",
            "Use normal = 1/std: {wanted:.6g} for the first channel.",
            values,
            severity=severity,
        )
        return
    yield Finding(
        "{label}: std {given} looks like the inverse of a standard deviation: it divides, so pixels 0..255 become "
        "{low:.4g}..{high:.4g}.",
        "(x − mean) / {first} is computed; a factor was given where the divisor belongs: 1/{first} = {wanted:.6g}.",
        "Use std {wanted:.6g} for the first channel (the inverse of what is there).",
        values,
        severity=severity,
    )
