"""The converted model agrees with the original; remarks of the converter that are no faults.

What it checks
    `TEST_SUCCESS`, and `X has empty input, the index is N`.

Why it matters
    The remark looks like an error. An optional input that is left out is normal: Resize has its region of interest at index 1
    and its scales at index 2, and uses one of them.

How it is computed
    The lines.

Example
    /model.11/Resize_output_0 has empty input, the index is 1: the roi, which only tf_crop_and_resize needs.

Fix
    None.

Limits
    The check feeds inputs that the script makes: preprocessing is not tested.

References
    ONNX operator Resize; alibaba/MNN#2949.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN318",
    "log-converted-right",
    over="logbook",
    category="model_conversion",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("mnn:K3", "alibaba/MNN#2949"),
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    empty = book.firsts("cv_empty")
    if empty:
        first = empty[0]
        resize = "resize" in (first.word("op") or "").lower() or "upsample" in (first.word("op") or "").lower()
        yield Finding(
            "{op}: an empty input at index {index} is no fault.",
            "A Resize leaves its roi (index 1) or scales (index 2) empty: they are optional, and it uses what is given."
            if resize
            else "Inputs of ONNX operators may be optional; an empty name means that one is left out.",
            "Nothing.",
            {"op": first.word("op"), "index": first.number("n"), "count": len(empty)},
            where=first.where,
            about="log:empty",
        )
    right = book.first("cv_test_ok")
    if right is not None and book.first("cv_skip", "cv_test_value") is None:
        yield Finding(
            "The converted model agrees with the original within 1 % of the largest value.",
            "Both got inputs that the script makes (0.1 to 1.2): the conversion is cleared, the program's preprocessing is not tested.",
            "Nothing.",
            {"tolerance": 0.01},
            where=right.where,
            about="log:converted",
        )
