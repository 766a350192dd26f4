"""On the mini runtime the NPU does not read the bound memory.

What it checks
    `normalize target: CPU` together with librknnmrt, or on RV1103, RV1106 and their b forms.

Why it matters
    A correctly bound UINT8 NHWC input prints no such line; where it stands, rknn_run works on internal memory or
    converts on the CPU: one answer for every picture is the usual sign.

How it is computed
    The line, and which runtime prints it.

Example
    `D RKNN: normalize target: CPU` at rknn_run on an RV1106.

Fix
    Bind with the queried attribute (its name counts), type UINT8, fmt NHWC, pass_through 0; check the code of
    rknn_set_io_mem.

Limits
    Measured on 2.3.2.

References
    measured: librknnmrt 2.3.2 under emulation; runtime:M-15, runtime:M-06
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN311",
    "log-input-not-bound",
    over="logbook",
    category="stale_buffer",
    severity="warning",
    rank=Rank.CALL,
    sources=(
        "measured: librknnmrt 2.3.2 under emulation",
        "runtime:M-15",
        "runtime:M-06",
    ),
    confidence="M",
    scope="input",
)
def check(book: LogBook, log_platform: str | None = None) -> Iterator[Finding]:
    event = next((e for e in book.firsts("norm_tgt") if (e.word("tgt") or "").upper() == "CPU"), None)
    mini = log_platform in ZERO_COPY_ONLY or any(e.word("lib") == "librknnmrt" for e in book.all("ver_rt"))
    if event is None or not mini:
        return
    yield Finding(
        "The mini runtime normalizes on the CPU: the NPU does not read a bound UINT8 NHWC input.",
        "With the input bound rightly this line is not printed. A name that the model does not have (or an empty one) binds nothing, returns "
        "0, and rknn_run works on internal memory.",
        "Query the attribute, change only type (UINT8), fmt (NHWC) and pass_through (0), and bind it; then fill the memory with 0x00 and with "
        "0xFF: equal answers mean that it is not read.",
        {},
        where=event.where,
        about="log:input0",
    )
