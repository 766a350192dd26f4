"""The wanted size is negative: a 16-bit integer type was stated.

What it checks
    `param input size(A) < model input size(B)` with B below 0.

Why it matters
    The call is refused (-5).

How it is computed
    librknnrt counts −1 byte an element for INT16 and UINT16 in this check.

Example
    (18432) < model input size(-9216): 9216 elements times −1.

Fix
    State UINT8 for pixels or FLOAT32 for real values.

Limits
    Measured on 1.5.2.

References
    measured: librknnrt 1.5.2 under emulation; runtime:G-10
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "DT304",
    "log-size-of-16-bit",
    over="log:in_size",
    category="dtype",
    severity="error",
    rank=Rank.TYPE,
    sources=(
        "measured: librknnrt 1.5.2 under emulation",
        "runtime:G-10",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    need, got = first_event.number("need"), first_event.number("got")
    if need is None or got is None or need >= 0:
        return
    yield Finding(
        "{got} bytes are given and {need} are wanted: a negative size means that the call states INT16 or UINT16.",
        "The check counts -1 byte an element for 16-bit integers: {need} = {elements} x (-1). {got} bytes / {elements} elements "
        "= {width:.3g} bytes an element were given.",
        "State RKNN_TENSOR_UINT8 and hand over pixels, or RKNN_TENSOR_FLOAT32 and real values.",
        {"got": got, "need": need, "elements": -need, "width": got / -need},
        about="log:input0",
    )
