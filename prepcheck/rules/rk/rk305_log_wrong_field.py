"""A field of a call holds a number that does not exist.

What it checks
    `inputs[N].index = A is not in [0, B]!`, `.d_type = N is invalid!`, `.fmt = N is invalid!`, `p_attr->index(A) >=
    input_num(B)!`.

Why it matters
    The call is refused.

How it is computed
    Read off the line.

Example
    inputs[0].index = 3 of a model with one input.

Fix
    Zero the struct first (memset), then set index, type, fmt, size, buf.

Limits
    None known.

References
    strings of librknn_api 2.5.0; measured: librknnmrt 2.3.2 under emulation; runtime:Z-18
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK305",
    "log-wrong-field",
    over="logbook",
    category="other",
    severity="error",
    rank=Rank.CALL,
    sources=(
        "strings of librknn_api 2.5.0",
        "runtime:Z-18",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("pc_index"):
        yield Finding(
            "inputs[{i}].index is {got}; the model's inputs are numbered 0 to {need}.",
            "A struct that was not zeroed, or a wrong count.",
            "memset the array to 0, then set index to 0, 1, … in order.",
            {"i": event.number("i"), "got": event.number("got"), "need": event.number("need")},
            where=event.where,
            about="log:inputs",
        )
    for event in book.firsts("pc_field"):
        name = event.word("field") or ""
        yield Finding(
            "inputs[{i}].{field} is {got}, which is no value of its enumeration.",
            "A struct that was not zeroed, or a header of another version.",
            "memset the array to 0, then set every field by its name (RKNN_TENSOR_UINT8, RKNN_TENSOR_NHWC).",
            {"i": event.number("i"), "field": name, "got": event.number("got")},
            where=event.where,
            about="log:inputs",
            category="layout" if name == "fmt" else "dtype",
        )
    for event in book.firsts("query_index"):
        yield Finding(
            "Attributes of {side} {got} were asked for; the model has {need}.",
            "The index of rknn_tensor_attr has to be set before the query and runs from 0.",
            "Set attr.index to 0 … {last} before RKNN_QUERY_{what}.",
            {
                "side": event.word("side"),
                "got": event.number("got"),
                "need": event.number("need"),
                "last": (event.number("need") or 1) - 1,
                "what": event.word("what"),
            },
            where=event.where,
            about="log:inputs",
        )
