"""The program feeds or reads tensors by names that the model does not have.

What it checks
    `Required inputs (…) are missing from input feed`, `Invalid Feed Input Name`, ncnn's `find_blob_index_by_name X
    failed` with its advice.

Why it matters
    Nothing is fed and nothing read; answers are empty or old.

How it is computed
    The names asked for and those that the lines name as present.

Example
    input.1, 792, 795 asked for; the param file has data and output.

Fix
    Use the model's own names, or the model that the program was written for.

Limits
    None known.

References
    RangiLyu/nanodet#434, microsoft/onnxruntime#6389
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT303",
    "log-names",
    over="logbook",
    category="other",
    severity="error",
    rank=Rank.CONTRACT,
    sources=(
        "RangiLyu/nanodet#434",
        "microsoft/onnxruntime#6389",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    wrong = [e.word("name") or "" for e in book.firsts("ncnn_blob")]
    if wrong:
        first = book.first("ncnn_blob")
        have = tuple(dict.fromkeys(e.word("name") or "" for e in book.all("ncnn_have")))
        yield Finding(
            "The program asks for blobs {wrong}"
            + ("; this model has {have}." if have else ", which this model does not have."),
            "It was written for another export of the network: nothing was fed and nothing read.",
            "Use the names of this param file, or the param and bin that the program was written for.",
            {"wrong": tuple(wrong), "have": have},
            where=first.where if first else None,
            about="log:names",
        )
    for event in book.firsts("ort_names"):
        yield Finding(
            "The model's inputs are named {need}"
            + (", the program gives {got}." if event.word("got") else "; the program gives others."),
            "Inputs are fed by name.",
            "Take the name from session.get_inputs()[0].name instead of writing it down.",
            {"need": event.word("need"), "got": event.word("got")},
            where=event.where,
            about="log:names",
        )
    for event in book.firsts("ort_name"):
        yield Finding(
            "The model has no input named {got}.",
            "Inputs are fed by name.",
            "Take the names from session.get_inputs().",
            {"got": event.word("got")},
            where=event.where,
            about="log:names",
        )
