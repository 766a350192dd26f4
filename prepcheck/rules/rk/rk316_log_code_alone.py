"""A call failed and nothing says why.

What it checks
    Return codes that a program prints (`rknn_init fail! ret=-6`, `error code: RKNN_ERR_…`) in a text that holds no
    line of the runtime itself.

Why it matters
    The code names a class only.

How it is computed
    Codes of rknn_api.h.

Example
    ret=-5: a parameter is wrong (a size, an index, a struct of another version).

Fix
    Set RKNN_LOG_LEVEL=3 and give the lines that the runtime prints before the code.

Limits
    Where the runtime's own line is there, the code follows from it, and this rule is silent.

References
    rknn_api.h of librknnrt and of the version 1 runtime
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK316",
    "log-code-alone",
    over="logbook",
    category="other",
    severity="error",
    rank=Rank.CONTENT,
    sources=("rknn_api.h",),
    confidence="M",
    scope="cannot_tell",
)
def check(book: LogBook) -> Iterator[Finding]:
    kinds = (
        "app_rc",
        "run_rc",
        "py_code",
        "create_failed",
        "load_failed",
        "in_norm",
        "cpu_failed",
        "npu_handle",
        "py_none",
        "py_catch",
    )
    alone = [e for e in book.firsts(*kinds) if e.label == "finding"]
    if not alone:
        return
    event = next((e for e in alone if e.number("rc") is not None or e.word("code")), alone[0])
    code = event.number("rc") if event.number("rc") is not None else CODES.get(event.word("code") or "")
    if code is not None and code >= 0:
        return
    name, meaning, category, scope = MEANING.get(code if code is not None else 1, MEANING[1])
    yield Finding(
        "{call} failed" + (" with {code} ({name}): {meaning}." if code is not None else ": {meaning}."),
        "The text holds the program's line only; the runtime prints the reason before it.",
        "Run again with RKNN_LOG_LEVEL=3 in the environment (C programs and Python alike), and give the lines from the start of the program.",
        {"call": event.word("fn") or event.word("what") or "a call", "code": code, "name": name, "meaning": meaning},
        where=event.where,
        about="log:code",
        category=category,
        scope=scope,
    )


MEANING = {
    1: ("", "the text does not say why", "other", "cannot_tell"),
    -1: ("RKNN_ERR_FAIL", "it failed in a way that the code does not name", "other", "cannot_tell"),
    -2: ("RKNN_ERR_TIMEOUT", "the NPU did not answer in time", "other", "device"),
    -3: ("RKNN_ERR_DEVICE_UNAVAILABLE", "the NPU cannot be opened", "other", "device"),
    -4: ("RKNN_ERR_MALLOC_FAIL", "memory ran out", "memory", "device"),
    -5: ("RKNN_ERR_PARAM_INVALID", "a parameter is wrong: a size, an index, a null pointer, or a struct of another version", "size", "input"),
    -6: ("RKNN_ERR_MODEL_INVALID", "the model file cannot be used: damaged, of another generation, or built for another chip", "model_conversion", "conversion"),
    -7: ("RKNN_ERR_CTX_INVALID", "the context is none: rknn_init failed or it was destroyed", "other", "cannot_tell"),
    -8: ("RKNN_ERR_INPUT_INVALID", "an input is wrong", "other", "input"),
    -9: ("RKNN_ERR_OUTPUT_INVALID", "an output is wrong", "other", "cannot_tell"),
    -10: ("RKNN_ERR_DEVICE_UNMATCH", "versions of runtime and driver do not match", "version", "device"),
    -11: ("RKNN_ERR_INCOMPATILE_PRE_COMPILE_MODEL", "a pre-compiled model of another driver version", "version", "conversion"),
    -12: ("RKNN_ERR_INCOMPATILE_OPTIMIZATION_LEVEL_VERSION", "an optimization level of another version", "version", "conversion"),
    -13: ("RKNN_ERR_TARGET_PLATFORM_UNMATCH", "the model was built for another chip", "version", "conversion"),
    -14: ("RKNN_ERR_NON_PRE_COMPILED_MODEL_ON_MINI_DRIVER", "this driver takes pre-compiled models only", "model_conversion", "conversion"),
}  # fmt: skip
"""Code → name, meaning, category, scope. Source: rknn_api.h (the spelling INCOMPATILE is the header's)."""
CODES = {name: code for code, (name, *_) in MEANING.items() if name} | {
    "RKNN_ERR_INPUT_INVALID": -8, "RKNN_ERR_INCOMPATIBLE_PRE_COMPILE_MODEL": -11,
}  # fmt: skip
