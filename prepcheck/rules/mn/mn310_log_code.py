"""A code of MNN.

What it checks
    Codes that runSession, resizeSession or a program's print give.

Why it matters
    Only 0 means that something was computed; the answer read after another code is an old one.

How it is computed
    MNN's table.

Example
    3: COMPUTE_SIZE_ERROR.

Fix
    Depends on the code.

Limits
    Codes of other programs look alike; only those named after MNN's calls are taken.

References
    MNN include/MNN/ErrorCode.hpp; seen: 0, 3, 10 (MNN 3.6.1).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule

CODES = {
    1: ("OUT_OF_MEMORY", "memory could not be had", "Use smaller pictures or another backend."),
    2: ("NOT_SUPPORT", "an operator is not supported by this backend", "Run it on the CPU, or convert with another opset."),
    3: ("COMPUTE_SIZE_ERROR", "the sizes could not be computed, or resizeSession is missing",
        "Call resizeSession after resizeTensor; look for the operator in the lines before."),
    4: ("NO_EXECUTION", "an operator has no implementation on this backend", "Run it on the CPU, or use a newer MNN."),
    5: ("INVALID_VALUE", "a parameter is out of range", "Look for the operator in the lines before."),
    10: ("INPUT_DATA_ERROR", "the input is null or not allocated", "Write the session's own tensor after resizeSession."),
    11: ("CALL_BACK_STOP", "a callback stopped the run", "Nothing, where that was meant."),
    20: ("TENSOR_NOT_SUPPORT", "a tensor of this kind cannot be used there", "Copy through a host tensor."),
    21: ("TENSOR_NEED_DIVIDE", "a tensor is too large for the backend", "Use smaller pictures or buffer memory."),
}  # fmt: skip
"""Code → name, meaning, cure. Source: MNN include/MNN/ErrorCode.hpp."""


@rule(
    "MN310",
    "log-code",
    over="log:mnn_code",
    category="session_config",
    rank=Rank.VALUES,
    sources=("mnn:T25", "MNN include/MNN/ErrorCode.hpp"),
    scope="cannot_tell",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    code = first_event.number("code") or 0
    name, means, cure = CODES.get(code, ("unknown", "not one of MNN's codes for a run", "Look at the lines before."))
    yield Finding(
        "MNN returned {code}, {name}: {means}.",
        "Nothing was computed; an answer that is read after it is that of an earlier run.",
        "{cure}",
        {"code": code, "name": name, "means": means, "cure": cure},
        severity="warning" if code not in CODES or code == 11 else None,
        scope="input" if code in (3, 10) else None,
        about="log:shape" if code == 3 else None,
    )
