"""The converter says that input and output are quantized.

What it checks
    `The default input dtype of 'N' is changed from 'float32' to 'int8' in rknn model for performance!`

Why it matters
    It states a fact, and is often taken for a fault.

How it is computed
    Read off the line.

Example
    images: float32 to int8.

Fix
    Nothing: rknn_inputs_set and inference() still take uint8 or float32 and convert.

Limits
    Only pass_through and zero-copy memory bound as INT8 have to hold codes.

References
    airockchip/rknn_model_zoo#113
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "QT301",
    "log-quantized-input",
    over="logbook",
    category="quantization",
    severity="info",
    rank=Rank.VALUES,
    sources=("airockchip/rknn_model_zoo#113",),
    confidence="H",
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    events = [e for e in book.firsts("tk_io_dtype") if (e.word("side") or "").lower() == "input"]
    if not events:
        return
    yield Finding(
        "The model's input is {new} (it was {old}): it was quantized. No fault.",
        "The runtime converts: rknn_inputs_set and inference() still take uint8 pixels or float32 values, and mean and std are applied by the "
        "model.",
        "Nothing to repair. Only with pass_through 1, or memory bound as {NEW}, has the program to write codes itself.",
        {"new": events[0].word("new"), "old": events[0].word("old"), "NEW": (events[0].word("new") or "").upper()},
        where=events[0].where,
    )
