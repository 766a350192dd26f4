"""The mini runtime cannot convert what was bound.

What it checks
    `InputOperator: not support input dtype=…, layout=…, output dtype=… , layout=…`.

Why it matters
    rknn_set_io_mem returned 0, rknn_run fails with -1.

How it is computed
    Read off the line: what was bound, and what the NPU takes.

Example
    UINT8 NCHW bound, INT8 NC1HWC2 wanted.

Fix
    Bind UINT8 NHWC.

Limits
    None known.

References
    measured: librknnmrt 2.3.2 under emulation; runtime:M-04
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK303",
    "log-input-operator",
    over="log:inop_m",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=(
        "measured: librknnmrt 2.3.2 under emulation",
        "runtime:M-04",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    layout = first_event.word("lay")
    yield Finding(
        "The input is bound as {dtype} {layout}; the mini runtime has no conversion from that to {odtype} {olayout}.",
        "Pixels are taken as UINT8 NHWC with pass_through 0; rknn_set_io_mem accepts other layouts silently, and the run fails.",
        "Set attr.fmt = RKNN_TENSOR_NHWC and attr.type = RKNN_TENSOR_UINT8 and write interleaved pixels; the advice in the line "
        "(pass_through=1) is right only for bytes that are quantized already.",
        {
            "dtype": first_event.word("dt"),
            "layout": layout,
            "odtype": first_event.word("odt"),
            "olayout": first_event.word("olay"),
        },
        category="layout" if layout != "NHWC" else "dtype",
        about="log:input0",
    )
