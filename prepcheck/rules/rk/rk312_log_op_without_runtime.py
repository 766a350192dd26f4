"""The model holds an op that this runtime cannot run.

What it checks
    `unsupport cpu X op, op name: …`, `op: X, name: …, fallback cpu failed`, `REGTASK: The bit width of field value
    exceeds the limit`.

Why it matters
    rknn_init or rknn_run fails; the input is not concerned.

How it is computed
    Read off the line; for a register the limit and the value are shown.

Example
    exNorm (LayerNormalization) on an RV1106: the mini runtime has no CPU version of it.

Fix
    Another toolkit release, the op written out of simpler ones, or the model cut before it.

Limits
    None known.

References
    airockchip/rknn-toolkit2#359, #251; measured: librknnmrt 2.3.2 under emulation
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK312",
    "log-op-without-runtime",
    over="logbook",
    category="model_conversion",
    severity="error",
    rank=Rank.CONTRACT,
    sources=(
        "airockchip/rknn-toolkit2#359",
        "airockchip/rknn-toolkit2#251",
    ),
    confidence="H",
    scope="conversion",
)
def check(book: LogBook, log_platform: str | None = None) -> Iterator[Finding]:
    for event in book.firsts("cpu_missing", "op_fallback"):
        op, name = event.word("op"), event.word("name")
        mini = log_platform in ZERO_COPY_ONLY
        yield Finding(
            "The runtime cannot run op {op}"
            + (" ({name})" if name else "")
            + ": it is none of the NPU's, and this library has no CPU "
            "version of it.",
            "Not the input: the model does not get past its initialization or this op"
            + (" (the mini runtime of {platform} has few CPU ops)." if mini else ".")
            + " Codes and crashes after this line follow from going on.",
            "Try a newer toolkit together with a newer runtime; replace {op} in the network by ops that the NPU has "
            "(LayerNormalization: mean, subtract, square, divide), or cut the model before it and compute the rest on the CPU.",
            {"op": op, "name": name, "platform": log_platform},
            where=event.where,
            about="log:init",
        )
    for event in book.firsts("regtask"):
        limit, value = event.number("limit") or 0, event.number("value") or 0
        yield Finding(
            "A layer needs {value} where a register of the NPU holds {limit} at most.",
            "0x{value:x} = {value}, 0x{limit:x} = {limit}: one of the layer's dimensions (a width, a number of channels, a stride in "
            "memory) is too large for this release of the compiler. Not the values of the input.",
            "Make the input smaller, split that layer, or try another release of the toolkit.",
            {"value": value, "limit": limit},
            where=event.where,
            about="log:build",
            scope="conversion",
        )
