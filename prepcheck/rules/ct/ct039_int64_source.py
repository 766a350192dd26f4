"""The session takes another type than the network had.

What it checks
    Whether the file states an element type that no session holds.

Why it matters
    MNN makes int32 of int64 and bool, and float32 of float64. Bytes in the original type are misread.

How it is computed
    The type of the file against the session's.

Example
    int64 → int32.

Fix
    Hand over the session's type.

Limits
    None known.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT039",
    "int64-source",
    over="note:int64_source",
    category="dtype",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: MNN 3.6.1",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Input {name} was {stored} in the file; the session takes {session}.",
        "MNN has no {stored} tensors.",
        "Convert the data to {session} before the copy.",
        {"name": values["name"], "stored": values["stored"], "session": values["session"]},
    )
