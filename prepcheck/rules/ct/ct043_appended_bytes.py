"""Bytes follow the end of the MNN model.

What it checks
    Whether the file goes on after the model.

Why it matters
    MNN accepts them; the converter writes none. Two files in one, or a resumed download.

How it is computed
    The end of the last table against the file size.

Example
    The values of the finding.

Fix
    Copy the file again.

Limits
    None known.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT043",
    "appended-bytes",
    over="note:appended_bytes",
    category="other",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: MNN 3.6.1",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "{bytes} bytes follow the end of the model.",
        "The model ends at offset {offset}; the converter writes nothing after it.",
        "Copy or convert the model again and compare sizes.",
        values,
    )
