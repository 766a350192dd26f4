"""Values of a set lie beyond what the model's codes hold.

What it checks
    The histogram of all pictures against the range of the model's own zero point and scale.

Why it matters
    The model was calibrated with other pictures than these: what lies beyond its range becomes the end of it.

How it is computed
    Values outside mean + std · (q − zp) · scale, by more than half a step, of all values of all channels. Beyond 1 %
    a warning.

Example
    A model calibrated with 60..190 and pictures with 8 % above 190.

Fix
    Calibrate anew with pictures like these.

Limits
    Pixels that are handed over as they are. Up to 1 % is not told: the brightest lamps saturate everywhere.

References
    RKNN API guide 1.5.2 (affine quantisation); QT003 says what the range is without pictures.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import InputSet
from prepcheck.registry import Finding, Rank, rule

TOLERATED = 0.01
"""Share of saturated values that costs nothing. A choice."""


@rule(
    "QT402",
    "samples-saturates",
    over="set_input",
    category="quantization",
    severity="warning",
    rank=Rank.VALUES,
    runtimes=("rknn",),
    sources=("runtime:Q-07", "measured: rknn-toolkit2 2.5.0, calibration images of 60..190"),
    scope="conversion",
)
def check(label: str, outside: tuple[int, int, float, float], given: InputSet) -> Iterator[Finding]:
    beyond, every, low, high = outside
    if every == 0 or beyond <= TOLERATED * every:
        return
    yield Finding(
        "{share:.1%} of the values of these pictures saturate in {label}: its codes hold pixels {low:.4g}..{high:.4g}.",
        "{beyond} of {every} values of {pictures} pictures lie outside: {beyond} / {every} = {share:.1%}.",
        "Calibrate anew with pictures like these.",
        {
            "share": beyond / every, "label": label, "low": low, "high": high, "beyond": beyond, "every": every,
            "pictures": given.pictures,
        },
    )  # fmt: skip
