"""The file with the weights is full of zeros.

What it checks
    Whether the first weights are all zero bytes.

Why it matters
    A file that was reserved and never written looks like this (a broken download, a full disk).

How it is computed
    The first 64 KiB of the weights.

Example
    The values of the finding.

Fix
    Copy the file again.

Limits
    A layer whose weights really are zero looks the same.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT032",
    "external-weight-zero",
    over="note:external_weight_zero",
    category="model_conversion",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: MNN 3.6.1",),
    confidence="M",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The first weights in {expected_file} are all zero.",
        "{have} bytes are there, {need} are needed, but the first ones (up to 64 KiB) are zero: the file may "
        "have been reserved and never written.",
        "Copy {expected_file} again and compare checksums.",
        {"expected_file": values["expected_file"], "have": values["have"], "need": values["need"]},
    )
