"""NC1HWC2 memory without pass_through.

What it checks
    `NC1HWC2 input format only support pass_through == 1` and `… not support NC1HWC2 layout`.

Why it matters
    The memory is not bound.

How it is computed
    Read off the line.

Example
    attr of RKNN_QUERY_NATIVE_INPUT_ATTR bound as it is, pass_through 0.

Fix
    Bind the NHWC form (RKNN_QUERY_INPUT_ATTR) for pixels, or quantize and pack on the host and set pass_through 1.

Limits
    None known.

References
    measured: librknnrt 1.5.2 under emulation; runtime:Z-05, runtime:G-08
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK302",
    "log-packed-memory",
    over="logbook",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=(
        "measured: librknnrt 1.5.2 under emulation",
        "runtime:Z-05",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("io_nc1", "io_nc1_old"):
        yield Finding(
            "The input is stated as NC1HWC2, which is taken with pass_through 1 only.",
            "NC1HWC2 is the NPU's own form: the runtime converts nothing into it, so the bytes would have to be quantized, packed "
            "and strided already.",
            "For pixels state RKNN_TENSOR_NHWC and RKNN_TENSOR_UINT8 with pass_through 0; for ready native bytes set pass_through 1.",
            {},
            where=event.where,
            about="log:input0",
        )
