"""testMNNFromOnnx.py DEBUG names the first operator that differs.

What it checks
    `Error is between A and B`, and `Test Node : X True/False`.

Why it matters
    It is the conversion of that operator, or MNN's kernel for it: the search is over, and the input code has no part in it.

How it is computed
    Up to A the converted model agrees with the original within 1 %, from B on it does not.

Example
    Error is between /model.23/TopK and /model.23/Unsqueeze.

Fix
    Another form of that operator in the export, another MNN version, or a report with the part of the model.

Limits
    Operators that only change the order of equal values (TopK, ArgMax, Sort) differ without being wrong.

References
    alibaba/MNN#1761, alibaba/MNN#2949.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, Value, rule

ORDERING = ("topk", "argmax", "argmin", "sort", "nonmaxsuppression")


@rule(
    "MN331",
    "log-bisected",
    over="logbook",
    category="model_conversion",
    rank=Rank.CONTRACT,
    sources=("mnn:K3", "alibaba/MNN#1761", "alibaba/MNN#2949"),
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    told = book.first("cv_between", "cv_first")
    nodes = book.all("cv_node")
    right = [e for e in nodes if e.word("ok") == "True"]
    wrong = [e for e in nodes if e.word("ok") == "False"]
    event = told or (wrong[-1] if wrong else None)
    if event is None:
        return
    a = told.word("a") if told is not None else right[-1].word("op") if right else None
    b = told.word("b") if told is not None else wrong[-1].word("op")
    values: dict[str, Value] = {"a": a, "b": b, "right": len(right), "wrong": len(wrong)}
    ordering = any(word in f"{a} {b}".lower() for word in ORDERING)
    yield Finding(
        "The converted model agrees with the original up to {a} and differs from {b} on." if a and b else "The first operator that differs "
        "is at {a}." if a else "The first operator that differs is {b}.",
        "The inputs are the script's own, so preprocessing has no part in it: it is the conversion of that operator or MNN's kernel for it."
        + (" TopK, ArgMax and the like may order equal values otherwise and differ without being wrong." if ordering else ""),
        "Export that operator in another form (other opset, simplified graph), try another MNN version, or report it with the part of the model "
        "around it.",
        values,
        where=event.where,
        about="log:converted",
    )  # fmt: skip
