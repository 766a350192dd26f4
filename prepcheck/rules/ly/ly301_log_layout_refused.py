"""The runtime cannot convert the layout that the call states.

What it checks
    The line `Meet unsupported src layout for normalize: …` of librknnrt.

Why it matters
    rknn_inputs_set prints this and returns 0 all the same: nothing is copied, and rknn_run works on the input that
    was there before (or on zeros). The answer then does not depend on the picture.

How it is computed
    Read off the line. Old runtimes print a number: 2 is NCHW, 0 (later `(null)`) is UNDEFINED.

Example
    fmt=NHWC in the attributes and `Meet unsupported src layout for normalize: NCHW, only support NHWC src layout!`

Fix
    inputs[i].fmt = RKNN_TENSOR_NHWC and interleaved pixels; transpose NCHW data on the host.

Limits
    Inputs of other rank than 4 may be stated as UNDEFINED or NCHW.

References
    airockchip/rknn-toolkit2#258, rockchip-linux/rknn-toolkit2#289; measured: librknnrt 1.5.2 under emulation;
    runtime:G-07
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Contract
from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "LY301",
    "log-layout-refused",
    over="log:in_layout",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=(
        "airockchip/rknn-toolkit2#258",
        "rockchip-linux/rknn-toolkit2#289",
        "runtime:G-07",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent, book: LogBook, log_contract: Contract | None = None) -> Iterator[Finding]:
    stated = OLD.get(first_event.word("fmt") or "", first_event.word("fmt") or "?")
    norm = book.near(first_event, "in_norm", before=2, after=4)
    index = (norm.number("idx") if norm else None) or 0
    tensor = log_contract.inputs[index] if log_contract is not None and index < len(log_contract.inputs) else None
    shape = ", ".join(str(d) for d in tensor.shape or []) if tensor is not None else ""
    yield Finding(
        "The call states layout {stated} for input {index}; the runtime converts only NHWC, so nothing was copied."
        + (" The attributes say {layout} [{shape}]." if shape else ""),
        "This line stands at level E, but rknn_inputs_set returns 0, and rknn_run then works on what the input memory held "
        "before (or on zeros): the same answer for every picture is the usual sign.",
        "Set inputs[{index}].fmt = RKNN_TENSOR_NHWC and hand over interleaved pixels, height x width x channels; bring NCHW data "
        "into that order on the host first (numpy: transpose(0, 2, 3, 1)). Check the lines, not only the return code.",
        {"stated": stated, "index": index, "layout": (tensor.layout if tensor else None) or "NHWC", "shape": shape},
        about=f"log:input{index}",
    )


OLD = {"2": "NCHW", "0": "UNDEFINED", "(null)": "UNDEFINED"}
"""What librknnrt 1.5.2 prints for a layout. Source: measured under emulation."""
