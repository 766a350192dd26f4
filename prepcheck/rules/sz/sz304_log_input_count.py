"""Not as many inputs are given as the model has.

What it checks
    `param input num(A) != model input num(B)`, `n_inputs = A, expect B!`, `rknn_run, input N hasn't been seted!`,
    an empty list of inputs.

Why it matters
    librknnrt takes fewer inputs with a warning only and returns 0: the missing ones keep what they held.

How it is computed
    Read off the line.

Example
    param input num(0) != model input num(1): nothing was given, and rknn_run still returns 0.

Fix
    Fill every input in every call; check n_inputs.

Limits
    None known.

References
    measured: librknnrt 1.5.2 under emulation; strings of librknn_api 2.5.0; runtime:G-12
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ304",
    "log-input-count",
    over="logbook",
    category="other",
    severity="error",
    rank=Rank.CALL,
    sources=(
        "measured: librknnrt 1.5.2 under emulation",
        "runtime:G-12",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("in_num", "pc_count"):
        yield Finding(
            "{got} inputs are given, the model has {need}.",
            "Too few are taken with a warning only: the call returns 0, and the inputs that were left out keep what they held, so "
            "that answers repeat or depend on an earlier frame. Too many are refused (-5).",
            "Set n_inputs to {need} and fill all of them in every call (`rknn_query` with RKNN_QUERY_IN_OUT_NUM says how many).",
            {"got": event.number("got"), "need": event.number("need")},
            where=event.where,
            about="log:inputs",
        )
    for event in book.firsts("not_set"):
        yield Finding(
            "rknn_run was called although input {i} was never set.",
            "The call that should have set it failed or is missing; this line is the first sign of it.",
            "Look at what rknn_inputs_set returned for input {i}, and set it before every rknn_run.",
            {"i": event.number("i")},
            where=event.where,
            about="log:inputs",
        )
    for event in book.firsts("tk_inputs_empty"):
        yield Finding(
            "inference() was given no inputs.",
            "An empty list, or None where a picture could not be read (cv2.imread returns None for a path that does not exist).",
            "Check that the picture was read: `assert image is not None` right after cv2.imread.",
            {},
            where=event.where,
            about="log:inputs",
        )
