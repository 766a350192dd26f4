"""The runtime reports another type than the tensor is stored in.

What it checks
    Whether the file states a reported type that differs from the stored one (toolkit 1.1).

Why it matters
    Zero point and scale belong to the stored type.

How it is computed
    The two type fields of the tensor.

Example
    reported uint8, stored int8.

Fix
    Convert with a current toolkit; both are equal since 1.3.

Limits
    BOOL inputs are stored as int8 by design and are not reported.

References
    Measured: containers of rknn-toolkit2 1.1 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT018",
    "reported-dtype-differs",
    over="note:reported_dtype_differs",
    category="dtype",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "{name} is reported as {reported} and stored as {stored}.",
        "Models of toolkit 1.1 state both; zero point and scale belong to {stored}.",
        "Convert with rknn-toolkit2 1.3 or newer, where both are the same.",
        {"name": values["name"], "reported": values["reported"], "stored": values["stored"]},
    )
