"""The array's element type is none that the Python package takes.

What it checks
    `Unsupport inputs[0].dtype: float64` of rknn-toolkit2 and `inputs[0].dtype: … is not same as data_type` of
    RKNNLite.

Why it matters
    inference() returns None, and the next line of the program fails on it.

How it is computed
    Read off the line.

Example
    numpy computes in float64: img / 255.0 is float64.

Fix
    array.astype('float32') (or keep uint8 pixels); data_type has to name what the array holds.

Limits
    None known.

References
    measured: rknn-toolkit2 2.5.0; rknn_lite.py 2.5.0; runtime:P-05, runtime:P-13
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "DT303",
    "log-array-type",
    over="logbook",
    category="dtype",
    severity="error",
    rank=Rank.TYPE,
    sources=(
        "measured: rknn-toolkit2 2.5.0 simulator",
        "runtime:P-05",
        "runtime:P-13",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("tk_dtype"):
        yield Finding(
            "inputs[{i}] is an array of {got}, which inference() does not take.",
            "Taken are uint8, int8, uint16, int16, uint32, int32, int64, float16, float32 and bool; numpy's own real numbers are "
            "float64, 8 bytes an element where float32 has 4. inference() returns None.",
            "Convert first: array.astype('float32'), or hand over the uint8 pixels and let the model normalize.",
            {"i": event.number("i"), "got": event.word("dt")},
            where=event.where,
            about="log:inference",
        )
    for event in book.firsts("lite_type"):
        yield Finding(
            "inputs[{i}] is an array of {got}, and data_type says {need}.",
            "RKNNLite takes data_type for uint8 where it is not given, and refuses arrays of another type; inference() returns None.",
            "Convert the array, or state data_type='{got}' where it is one of int8, uint8, int16, float16, float32.",
            {"i": event.number("i"), "got": event.word("got"), "need": event.word("need") or "another type"},
            where=event.where,
            about="log:inference",
        )
