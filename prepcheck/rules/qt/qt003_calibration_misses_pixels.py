"""The codes of a picture input do not hold all pixels 0..255.

What it checks
    For quantised picture inputs: mean + std · (qmin − zp) · scale … mean + std · (qmax − zp) · scale of every channel
    against 0..255.

Why it matters
    The calibration pictures had no bright (or no dark) pixels. At run time everything beyond the range becomes its end: bright
    skies, lamps and white paper are flat areas to the network.

How it is computed
    With the model's own mean and std. Up to 2 % short (5 values) is rounding, up to 5 % an info.

Example
    mean 0, std 1, zero point −128, scale 0.745098: 255 · 0.745098 = 190: pixels 191..255 saturate.

Fix
    Calibrate with pictures that use the whole range (add a black and a white one).

Limits
    Where less than a quarter of 0..255 is held, pixels are not what the input was made for; NM013 says it where pixels
    are handed over.

References
    Measured: calibration images of 60..190 gave scale 190/255 (rknn-toolkit2 2.5.0); facenet.rknn of luckfox: 0.9608/255.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.affine import pixel_range
from prepcheck.core.dtypes import integer_range
from prepcheck.registry import Finding, Rank, rule

ROUNDING = 0.02 * 255
SMALL = 0.05 * 255


@rule(
    "QT003",
    "calibration-misses-pixels",
    over="input",
    category="quantization",
    severity="warning",
    rank=Rank.VALUES,
    sources=("measured: rknn-toolkit2 2.5.0, calibration images of 60..190", "runtime:Q-07"),
    scope="conversion",
)
def check(
    dtype: str, scale: float, zero_point: int, pixel_lists: tuple[list[float], list[float]], label: str
) -> Iterator[Finding]:
    mean, std = pixel_lists
    if scale <= 0:
        return
    n = max(len(mean), len(std))
    worst: tuple[float, int, float, float] | None = None
    for channel in range(n):
        m, s = mean[channel % len(mean)], std[channel % len(std)]
        held = pixel_range(dtype, scale, zero_point, m, s)
        if held is None or s <= 0:
            return
        missing = max(0.0, held[0]) + max(0.0, 255.0 - held[1])
        if worst is None or missing > worst[0]:
            worst = (missing, channel, *held)
    if worst is None or worst[0] <= ROUNDING or worst[0] > 0.75 * 255:
        return
    missing, channel, low, high = worst
    yield Finding(
        "{label} holds pixels {low:.4g}..{high:.4g} of 0..255 (channel {channel}): what lies beyond saturates.",
        "{mean} + {std} · ({qmin} − {zero_point}) · {scale} = {low:.4g} and {mean} + {std} · ({qmax} − {zero_point}) · {scale} = "
        "{high:.4g}; the calibration pictures had no other pixels.",
        "Calibrate with pictures that reach from 0 to 255, and build again.",
        {
            "label": label,
            "low": low,
            "high": high,
            "channel": channel,
            "mean": mean[channel % len(mean)],
            "std": std[channel % len(std)],
            "scale": scale,
            "zero_point": zero_point,
            "missing": missing,
            **_ends(dtype),
        },
        severity="warning" if missing > SMALL else "info",
    )


def _ends(dtype: str) -> dict[str, int]:
    low, high = integer_range(dtype) or (0, 0)
    return {"qmin": low, "qmax": high}
