"""data_format has a value that this package does not take.

What it checks
    `KeyError: 'nchw'` of RKNNLite, `Unsupport data format`, and lists of another length than the inputs.

Why it matters
    inference() raises or returns None.

How it is computed
    Read off the line.

Example
    `KeyError: 'nchw'` after data_format=['nchw']: this release takes a text.

Fix
    data_format='nchw' (a text) in older RKNNLite, a list of one entry for each input in rknn-toolkit2; or give NHWC
    and leave it out.

Limits
    None known.

References
    rockchip-linux/rknn-toolkit2#344, #206; measured: rknn-toolkit2 2.5.0; runtime:P-08, runtime:P-15
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "LY305",
    "log-data-format",
    over="logbook",
    category="layout",
    severity="error",
    rank=Rank.CALL,
    sources=(
        "rockchip-linux/rknn-toolkit2#344",
        "runtime:P-15",
        "runtime:P-08",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("lite_key", "tk_data_format"):
        yield Finding(
            "data_format {fmt} is not taken in this form.",
            "Older releases of RKNNLite take a text ('nchw') and raise KeyError for a list; 'nchw' itself came with 1.6.0. "
            "rknn-toolkit2 takes a list with nhwc or nchw for each input.",
            "Write data_format='nchw' (RKNNLite), or hand over NHWC arrays and leave data_format out.",
            {"fmt": event.word("fmt")},
            where=event.where,
            about="log:inference",
        )
    for event in book.firsts("tk_lengths"):
        yield Finding(
            "The list {what} is not as long as the list of inputs.",
            "inference() wants one entry for each input and returns None otherwise.",
            "Give {what} one entry for each input.",
            {"what": event.word("what")},
            where=event.where,
            category="other",
            about="log:inference",
        )
