"""The file with the weights is too short.

What it checks
    Whether the .weight file reaches to the end of the last weights.

Why it matters
    MNN prints nothing, returns 0, and computes with what happens to be in memory.

How it is computed
    The largest offset + length of all operators against the file's size.

Example
    73856 bytes needed, 4096 there.

Fix
    Copy the file again and compare sizes.

Limits
    None known.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT031",
    "external-weight-short",
    over="note:external_weight_short",
    category="model_conversion",
    severity="error",
    rank=Rank.CONTRACT,
    sources=("measured: MNN 3.6.1",),
    confidence="H",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "{expected_file} has {have} bytes, the model needs {need}: {missing_bytes} bytes are missing.",
        "{need} − {have} = {missing_bytes}. The file was cut short, or belongs to another model. MNN reads "
        "past its end without an error.",
        "Copy {expected_file} again (binary, completely) and compare its size with {need}.",
        {
            "expected_file": values["expected_file"],
            "have": values["have"],
            "need": values["need"],
            "missing_bytes": values["missing_bytes"],
        },
    )
