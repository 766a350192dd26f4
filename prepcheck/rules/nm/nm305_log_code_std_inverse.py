"""The build's std, as code states it, is a factor: the inverse of a standard deviation.

What it checks
    std_values (or the last number of rknn-toolkit 1's channel_mean_value) in pasted code: whether every one is below 0.05.

Why it matters
    The toolkit divides by std. With 0.00392 for 255 the values are wrong by the square of the std: calibration spans tens of
    thousands, and every picture saturates.

How it is computed
    (0 − mean) / std and (255 − mean) / std: beyond 1000 in size, where no network is trained.

Example
    std 0.003921569: (255 − 0) / 0.003921569 = 65025; meant was 255 / 255 = 1.

Fix
    Give the inverse: 1 / 0.003921569 = 255.

Limits
    Only literal numbers. Where the data set consists of .npy files that hold far smaller values than pixels, the lists may be
    right; so it is a warning. Lists where mean and std are both within 0..1 are NM303's.

References
    RKNN-Toolkit2 user guide, config(): (x − mean) / std; User Guide RKNN Toolkit 1.7.5, config; alibaba/MNN#854.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.facts.toolkit_code import normalizations
from prepcheck.registry import Finding, Rank, rule

SMALL, FAR = 0.05, 1000.0
"""A std below the first is no standard deviation of pixels 0..255, and values beyond the second none of a network's input."""


@rule(
    "NM305",
    "log-code-std-inverse",
    over="logbook",
    category="normalization",
    severity="warning",
    rank=Rank.VALUES,
    sources=("RKNN-Toolkit2 user guide, config()", "User Guide RKNN Toolkit 1.7.5, config", "alibaba/MNN#854"),
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    for said in normalizations(book):
        if not all(0 < s < SMALL for s in said.std) or all(0 < m < 1 for m in said.mean):
            continue
        low, high = (0 - said.mean[0]) / said.std[0], (255 - said.mean[0]) / said.std[0]
        if max(abs(low), abs(high)) < FAR:
            continue
        yield Finding(
            "{label}: std {given} looks like the inverse of a standard deviation: it divides, so pixels 0..255 become "
            "{low:.4g}..{high:.4g}.",
            "(x − mean) / {first} is computed; a factor was given where the divisor belongs: 1/{first} = {wanted:.6g}.",
            "Use std {wanted:.6g} for the first channel (the inverse of what is there).",
            {
                "label": f"config({said.argument})", "given": list(said.std), "first": said.std[0], "low": low, "high": high,
                "wanted": 1 / said.std[0], "mean": list(said.mean),
            },
            where=said.where,
            about="log:build",
        )  # fmt: skip
        return
