"""The submitted values fall on a handful of the input's codes.

What it checks
    How many steps of the input's scale the submitted range spans, after mean and std of the model.

Why it matters
    A quantised input has 256 codes. Values 0..1 handed to an input that holds 0..255 in steps of 1 become 0 or 1: every
    picture looks the same to the network.

How it is computed
    (highest − lowest value) / scale + 1, per channel. Up to 4 codes is an error, up to 16 a warning, where the codes hold a
    range at least 16 times wider.

Example
    0..1 with scale 1.0: 2 codes of 256.

Fix
    Hand over what the codes were made for: pixels 0..255 here.

Limits
    A dark picture of 8-bit pixels is no fault and not reported. mean and std must be known.

References
    airockchip/rknn-toolkit2#529; measured: outputs of six pictures spread by 0.03 instead of 0.4.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.normalization import ValueUse
from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM014",
    "few-codes",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("airockchip/rknn-toolkit2#529", "measured: rknn-toolkit2 2.5.0 simulator, six pictures"),
)
def check(value_use: ValueUse, label: str, fed_dtype: str, zero_point: int = 0) -> Iterator[Finding]:
    held = value_use.held[1] - value_use.held[0]
    wide = held >= 16 * (value_use.seen[1] - value_use.seen[0])
    if not fed_dtype.startswith("float") or value_use.codes > 16 or not wide or value_use.outside > 0.5:
        return
    yield Finding(
        "{label} holds {held_low:.4g}..{held_high:.4g} in steps of {scale}; values {fed_low:.4g}..{fed_high:.4g} fall on "
        "{codes} of 256 levels.",
        "({high:.4g} − {low:.4g}) / {scale} + 1 = {codes} levels (zero point {zero_point}). Every picture looks the same to the network.",
        "Hand over values in the range {held_low:.4g}..{held_high:.4g} (leave out the division by 255 or the normalisation on the "
        "host), or rebuild the model with mean and std for the values that you have.",
        {
            "label": label,
            "held_low": value_use.held[0],
            "held_high": value_use.held[1],
            "scale": value_use.scale,
            "fed_low": value_use.fed[0],
            "fed_high": value_use.fed[1],
            "low": value_use.seen[0],
            "high": value_use.seen[1],
            "codes": int(value_use.codes),
            "zero_point": zero_point,
        },
        severity="error" if value_use.codes <= 4 else "warning",
    )
