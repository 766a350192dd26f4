"""The code states NCHW for an input that rknn_inputs_set takes as NHWC only.

What it checks
    `inputs[N].fmt = RKNN_TENSOR_NCHW` in code that is given besides a log.

Why it matters
    librknnrt refuses it with a line and returns 0; the input keeps what it held.

How it is computed
    The assignment; and whether the input has four axes, where the tensors are printed.

Example
    inputs[0].fmt = RKNN_TENSOR_NCHW; with dims [1, 640, 640, 3].

Fix
    RKNN_TENSOR_NHWC and interleaved pixels.

Limits
    The version 1 runtime converts NCHW; inputs of other rank may be stated so.

References
    airockchip/rknn-toolkit2#258; runtime:G-07
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Contract
from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "LY306",
    "log-layout-in-code",
    over="logbook",
    category="layout",
    severity="warning",
    rank=Rank.LAYOUT,
    sources=(
        "airockchip/rknn-toolkit2#258",
        "runtime:G-07",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook, log_contract: Contract | None = None) -> Iterator[Finding]:
    if book.runtime == "rknn1" or book.first("in_layout") is not None:
        return
    for event in book.firsts("code_rknn_input"):
        if event.word("field") != "fmt" or (event.word("value") or "").rsplit("_")[-1] != "NCHW":
            continue
        index = event.number("index") or 0
        tensor = log_contract.inputs[index] if log_contract is not None and index < len(log_contract.inputs) else None
        if tensor is not None and len(tensor.shape or []) != 4:
            continue
        yield Finding(
            "The code states NCHW for input {index}; rknn_inputs_set takes four-axis inputs as NHWC only.",
            "The runtime prints `Meet unsupported src layout for normalize`, copies nothing and returns 0: the same answer for every picture.",
            "Set inputs[{index}].fmt = RKNN_TENSOR_NHWC and hand over interleaved pixels (transpose NCHW data first).",
            {"index": index},
            where=event.where,
            about=f"log:input{index}",
            severity="error" if tensor is not None else "warning",
        )
