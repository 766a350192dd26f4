"""A call that the mini runtime does not have.

What it checks
    `rknn_inputs_set, context config invalid!` and `… not supported in mini runtime!` of librknnmrt (RV1103,
    RV1106).

Why it matters
    The call returns -5 whatever it is given; a following rknn_run returns 0 and works on memory that nobody fills,
    so that the answer is constant where the code is ignored.

How it is computed
    Read off the line: the symbols exist in that library, and always print this.

Example
    `E RKNN: rknn_inputs_set, context config invalid!` on an RV1106.

Fix
    rknn_create_mem and rknn_set_io_mem for every input and output: type UINT8, fmt NHWC, pass_through 0, rows
    w_stride pixels apart.

Limits
    None known.

References
    airockchip/rknn-toolkit2#335; measured: librknnmrt 2.3.2 under emulation; RKNNRT C API reference 2.3.2 table
    4-1; runtime:M-02, runtime:M-17
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Contract
from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK301",
    "log-call-of-other-runtime",
    over="logbook",
    category="zero_copy",
    severity="error",
    rank=Rank.CALL,
    sources=(
        "airockchip/rknn-toolkit2#335",
        "runtime:M-02",
        "runtime:M-17",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook, log_contract: Contract | None = None) -> Iterator[Finding]:
    for event in book.firsts("in_mini"):
        tensor = log_contract.inputs[0] if log_contract is not None and log_contract.inputs else None
        size = tensor.size_with_stride or tensor.size if tensor is not None else None
        yield Finding(
            "rknn_inputs_set is not supported by this runtime (RV1103, RV1106 and their b forms): it fails whatever it is given.",
            "The library has the symbol, but the only way in is memory that is bound once. rknn_run after the failed call still "
            "returns 0 and works on internal memory: one answer for every picture where the code is ignored.",
            "Make memory with rknn_create_mem"
            + (" ({size} bytes)" if size else " (size_with_stride bytes)")
            + ", set attr.type = "
            "RKNN_TENSOR_UINT8, attr.fmt = RKNN_TENSOR_NHWC, attr.pass_through = 0, bind it with rknn_set_io_mem, and write the "
            "pixels there, rows w_stride pixels apart. Outputs the same way.",
            {"size": size},
            where=event.where,
            about="log:input0",
        )
    for event in book.firsts("mini_unsupported"):
        yield Finding(
            "{fn} is not supported by the mini runtime (RV1103, RV1106 and their b forms).",
            "Contexts cannot be duplicated, shapes are static, and there are no performance queries on these chips.",
            "Leave the call out; export the model with one fixed shape.",
            {"fn": event.word("fn") or "the call"},
            where=event.where,
            about="log:init",
            category="other",
        )
