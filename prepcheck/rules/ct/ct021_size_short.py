"""The file reserves fewer bytes than the rows need.

What it checks
    Whether size_with_stride is less than rows x stride x channels.

Why it matters
    Memory of that size is too small for the picture.

How it is computed
    Stored bytes against the product.

Example
    10080 stored, 11520 computed.

Fix
    Compare with what the board prints.

Limits
    None known.

References
    Measured: containers of rknn-toolkit2 1.1 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT021",
    "size-short",
    over="note:size_short",
    category="stride",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
    confidence="M",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "size_with_stride of {name} is {stored} bytes, rows and stride make {computed}.",
        "The two contradict each other; the file may be damaged.",
        "Compare with the line that the board prints for this input, and allocate the larger number.",
        {"name": values["name"], "stored": values["stored"], "computed": values["computed"]},
    )
