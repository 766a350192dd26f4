"""A normalize step divides by zero, by a negative number or by no number.

What it checks
    Every std of the normalize steps (the model and its build: NM003).

Why it matters
    (x − mean)/0 is infinite or NaN, and an int8 conversion of that is arbitrary. A negative std turns the picture into its
    negative. No library checks it.

How it is computed
    Each value is compared with 0.

Example
    std [0.229, 0.224, 0]: the third channel becomes infinite.

Fix
    The std of training; 1 where nothing is to be divided.

Limits
    None.

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM012",
    "step-std-not-positive",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("arithmetic",),
)
def check(divisors: list[tuple[str, list[float]]], label: str) -> Iterator[Finding]:
    for place, values in divisors:
        bad = [(i, v) for i, v in enumerate(values) if not v > 0 or v == float("inf")]
        if not bad:
            continue
        channel, value = bad[0]
        yield Finding(
            "{place}: std of channel {channel} of {label} is {value}.",
            "(x − mean) / {value} gives no usable value: 0 makes infinities and NaN, a negative number the negative of the picture.",
            "Use the std of training; 1 where nothing is to be divided.",
            {"place": place, "channel": channel, "value": value, "label": label, "std": tuple(values)},
            severity="warning" if value < 0 else "error",
        )
        return
