"""A set to calibrate with does not reach over 0..255.

What it checks
    The smallest and largest value of every channel over the whole set, the scale and zero point that they give, and
    the pixels that such codes hold.

Why it matters
    The toolkit takes the range of the input from the set. What no sample shows saturates on the device: lamps, skies
    and white paper become flat areas.

How it is computed
    lo = min(0, …), hi = max(0, …) over all channels of (x − mean)/std; scale = (hi − lo)/255, zp = rint(−128 −
    lo/scale); pixels held = mean + std · (q − zp) · scale. Up to 2 % short (5 values) is rounding, up to 5 % an info.

Example
    Samples of 0..190, mean 0, std 1: scale 190/255 = 0.745, zp −128: pixels 191..255 saturate.

Fix
    Add samples that reach from 0 to 255 (a black and a white picture do, for the input).

Limits
    The algorithm `normal` with int8; `mmse` and `kl_divergence` cut more. A part drawn with --sample or --limit is an
    info.

References
    Measured: 207 of 214 int8 inputs of rknn-toolkit2 2.5.0 to 1e-6; a set of 60..190 gave 190/255.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import InputSet, SampleSet
from prepcheck.registry import Finding, Rank, rule

ROUNDING = 0.02 * 255
SMALL = 0.05 * 255


@rule(
    "QT401",
    "samples-range",
    over="set_input",
    category="quantization",
    severity="warning",
    rank=Rank.VALUES,
    runtimes=("rknn",),
    sources=("measured: rknn-toolkit2 2.5.0, scale and zero point of 214 inputs", "runtime:Q-07"),
    scope="conversion",
)
def check(
    calibrating: SampleSet,
    given: InputSet,
    label: str,
    measured: InputSet,
    would_give: tuple[float, int, list[tuple[float, float]]],
    channel_lists: tuple[list[float], list[float]],
) -> Iterator[Finding]:
    if given.pictures == 0:
        return
    scale, zero_point, held = would_give
    mean, std = channel_lists
    short = [max(0.0, low) + max(0.0, 255 - high) for low, high in held]
    channel = max(range(len(short)), key=lambda i: (short[i], -i))
    if short[channel] <= ROUNDING:
        return
    low, high = held[channel]
    seen = measured.extents[channel]
    yield Finding(
        "The samples for {label} hold {seen_low}..{seen_high} (channel {channel}): codes calibrated with them hold pixels {low:.4g}..{high:.4g}; "
        "what lies beyond saturates.",
        "They give scale {scale}, zero point {zero_point}; {mean} + {std} · (−128 − {zero_point}) · {scale} = {low:.4g}, "
        "{mean} + {std} · (127 − {zero_point}) · {scale} = {high:.4g}.",
        "Add samples that reach from 0 to 255: the brightest and darkest that the camera gives, or a white and a black picture.",
        {
            "label": label, "seen_low": seen[0], "seen_high": seen[1], "channel": channel, "low": low, "high": high,
            "scale": scale, "zero_point": zero_point, "mean": mean[channel], "std": std[channel],
        },
        severity="warning" if short[channel] > SMALL and calibrating.complete else "info",
    )  # fmt: skip
