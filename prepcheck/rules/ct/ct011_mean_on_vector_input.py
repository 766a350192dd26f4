"""mean/std on an input that is no picture.

What it checks
    Whether mean or std other than 0 and 1 are configured for an input that is not 4-D.

Why it matters
    The runtime applies them, the calibration did not: scale and zero point belong to other values than those that
    arrive, and out-of-range values wrap round instead of clamping.

How it is computed
    The normalisation table of the input, against its rank.

Example
    [1,10] with mean 5, std 2.

Fix
    Leave mean_values/std_values of that input out ([0], [1]) and normalise in the application.

Limits
    None known.

References
    Measured: rknn-toolkit2 2.5.0 and librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT011",
    "mean-on-vector-input",
    over="note:mean_on_vector_input",
    category="normalization",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: rknn-toolkit2 2.5.0 and librknnrt 1.5.2 under emulation",),
    confidence="H",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Input {name} {dims} is no 4-D picture, but mean/std are configured for it.",
        "The runtime applies mean and std to such an input, calibration ignored them (the range found is the "
        "same with and without), so zero point and scale do not fit the values.",
        "Set mean_values [0] and std_values [1] for this input in config() and normalise in the application.",
        {"name": values["name"], "dims": values["dims"]},
    )
