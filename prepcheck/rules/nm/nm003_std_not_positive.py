"""A std is zero, negative or no number.

What it checks
    Every std that the model or its build divides by (steps: NM012).

Why it matters
    (x − mean)/0 is infinite or NaN, and an int8 conversion of that is arbitrary. A negative std turns the picture into its
    negative. The toolkit accepts both without a word and fails later ("cannot convert float NaN to integer").

How it is computed
    Each value is compared with 0.

Example
    std [0.229, 0.224, 0]: the third channel becomes infinite.

Fix
    The std of training; 1 where nothing is to be divided.

Limits
    None.

References
    Measured: rknn-toolkit2 2.5.0: config() accepts std 0, build fails with "cannot convert float NaN to integer".
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM003",
    "std-not-positive",
    over="input",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("measured: rknn-toolkit2 2.5.0 accepts std 0 in config()",),
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
