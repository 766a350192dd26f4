"""The file reserves more bytes than the rows need.

What it checks
    Whether size_with_stride is more than rows x stride x channels.

Why it matters
    Nothing is wrong; but a stride found by dividing it would be.

How it is computed
    Stored bytes against the product.

Example
    50304 stored, 49152 computed.

Fix
    Use w_stride as reported.

Limits
    None known.

References
    Measured: containers of rknn-toolkit2 1.1 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT020",
    "size-slack",
    over="note:size_slack",
    category="stride",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "size_with_stride of {name} is {stored} bytes, rows and stride make {computed}.",
        "Some toolkits reserve a little more. Dividing {stored} by the rows gives no stride.",
        "Allocate {stored} bytes and keep w_stride as reported.",
        {"name": values["name"], "stored": values["stored"], "computed": values["computed"]},
    )
