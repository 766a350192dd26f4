"""NC1HWC2 declared without pass_through.

What it checks
    Whether an input is declared in the NPU's blocked layout while the runtime is to convert it.

Why it matters
    The runtime does not convert from NC1HWC2. rknn_set_io_mem refuses (-1); rknn_inputs_set prints an error, returns 0 and
    sets nothing.

How it is computed
    fmt NC1HWC2 and pass_through 0.

Example
    A 17-channel input bound NC1HWC2 with pass_through 0:
    `NC1HWC2 input format only support pass_through == 1`.

Fix
    pass_through 1 with bytes that are quantised and packed in blocks of C2 channels; or plain NHWC with pass_through 0.

Limits
    Measured on librknnrt 1.5.2; elsewhere a warning.

References
    Measured: librknnrt 1.5.2 under emulation; RKNN API guide 1.5.2 table 4-3 (RV1103/RV1106: NC1HWC2 goes with pass_through 1).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK004",
    "nc1hwc2-without-pass-through",
    over="submitted",
    category="layout",
    rank=Rank.LAYOUT,
    runtimes=("rknn",),
    sources=("runtime:Z-05", "runtime:G-08", "RKNN API guide 1.5.2 table 4-3"),
    versions=("1.5.2",),
)
def check(declared_layout: str, pass_through: int, label: str, api: str, call_where: str) -> Iterator[Finding]:
    if declared_layout != "NC1HWC2" or pass_through:
        return
    yield Finding(
        "{label} is declared NC1HWC2 with pass_through 0; the runtime takes that layout only with pass_through 1.",
        "rknn_set_io_mem prints `NC1HWC2 input format only support pass_through == 1` and returns -1; rknn_run does not notice "
        "and computes on what was there before."
        if api == "rknn_set_io_mem"
        else "rknn_inputs_set prints an error, returns 0 and sets nothing; rknn_run does not notice and computes on what was "
        "there before.",
        "Set pass_through = 1 and hand over codes packed in blocks of C2 channels, or declare NHWC and hand over plain rows.",
        {"label": label, "link": "binding -> attribute"},
        where=call_where,
    )
