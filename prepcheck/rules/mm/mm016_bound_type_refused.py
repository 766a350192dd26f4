"""A type that rv1103/rv1106 do not take with pass_through 1.

What it checks
    Whether memory bound with pass_through 1 on rv1103, rv1106 or their b forms is declared INT8 (or INT16).

Why it matters
    The mini runtime refuses every other type with -5 (`tensor type : UINT8 not supported in pass_through == 1`), and
    rknn_run returns 0 all the same.

How it is computed
    Chip, pass_through and type of the binding.

Example
    UINT8 with pass_through 1 on rv1106.

Fix
    Pixels: UINT8 with pass_through 0. Codes: INT8 with pass_through 1.

Limits
    Inputs with four dimensions; others were not measured.

References
    RKNN API guide 1.5.2 table 4-3; measured: librknnmrt 2.3.2 under emulation, 40 combinations.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM016",
    "bound-type-refused",
    over="bound",
    category="dtype",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("runtime:M-03", "runtime:M-04", "runtime:M-18", "format:5c-4", "RKNN API guide 1.5.2 table 4-3"),
)
def check(
    mini: bool, pass_through: int, declared_dtype: str, label: str, platform: str, bind_where: str, input: InputThing
) -> Iterator[Finding]:
    if not mini or not pass_through or declared_dtype in ("int8", "int16") or len(input.shape) != 4:
        return
    yield Finding(
        "{label} is bound as {type} with pass_through 1; {platform} takes only INT8 (or INT16) there.",
        "librknnmrt prints `tensor type : {type} not supported in pass_through == 1` and returns -5; rknn_run returns 0 without "
        "this memory.",
        "For pixels bind RKNN_TENSOR_UINT8 with pass_through 0; for bytes that are quantised already RKNN_TENSOR_INT8 with "
        "pass_through 1.",
        {"label": label, "type": declared_dtype.upper(), "platform": platform, "link": "binding -> attribute"},
        where=bind_where,
    )
